import { appendAll } from "@/events/core/append-all";
import type { SupabaseClient } from "@supabase/supabase-js";
import { ownWriting } from "@/events/analysis/own-writing";
import type { OwnPassage } from "@/events/analysis/own-writing";
import { faultOf } from "@/events/log/store";
import { readHistory } from "./history-source";
import type { Tools } from "./task";

type Request = {
  document: string;
  person: string;
  /** Whether the person may know when their words were deleted, which others may have done. */
  seesHistory: boolean;
};

async function ownComments(client: SupabaseClient, document: string, person: string) {
  const rows: unknown[] = [];
  for (let page = 0; ; page += 1) {
    const { data, error, status } = await client
      .from("comments")
      .select("id, text, added_at, edited_at")
      .eq("document_id", document)
      .eq("author_id", person)
      .neq("text", "")
      .order("added_at")
      .order("id")
      .range(page * 1_000, page * 1_000 + 999);
    if (error) throw faultOf(error, status);
    appendAll(rows, data);
    if (data.length < 1_000) return rows;
  }
}

const passageJson = ({ deletedAt, ...passage }: OwnPassage, seesHistory: boolean) => ({
  ...passage,
  stands: deletedAt === null,
  ...(seesHistory && deletedAt !== null && { deletedAt }),
});

/** Returns one person's own writing in a document, and no other person's, as JSON in UTF-8. */
export async function ownWords(
  client: SupabaseClient,
  { document, person, seesHistory }: Request,
  { progress }: Tools,
): Promise<Uint8Array> {
  const timeline = await readHistory(client, document, progress);
  const passages = ownWriting(timeline, person).map((passage) => passageJson(passage, seesHistory));
  const comments = await ownComments(client, document, person);
  return new TextEncoder().encode(JSON.stringify({ passages, comments }));
}
