import { countWords } from "@/events/content/word-count";
import type { Ruled } from "@/events/core/envelope";
import { insertedText } from "@/events/crdt/updates/inserted-text";
import { decodeEdits, PayloadError } from "@/events/crdt/payload/payload";
import type { Rows } from "@/events/read-models/rows";
import { faultOf } from "@/events/log/store";
import { readUpdate, UpdateError } from "@/events/crdt/updates/yjs-update";
import * as z from "zod/mini";

/**
 * One person's activity in a document during another person's absence: the approximate number of
 * words written, and the numbers of edits, comments and other events.
 */
export type Absence = {
  actorId: string;
  words: number;
  edits: number;
  comments: number;
  others: number;
};

type Row = Pick<Ruled, "actorId" | "type" | "update" | "clientTime">;

const lastRow = z.array(z.object({ version: z.int() }));

/**
 * Returns the text that an edit inserted beyond the amount that it deleted. Splitting, joining or
 * retyping a block deletes and inserts the same words in one edit. The event does not hold the
 * deleted text, so equal amounts count as the same words.
 */
function broughtBy(update: Uint8Array): string {
  const text = insertedText(update);
  const gone = readUpdate(update).deletes.reduce(
    (sum, { ranges }) => ranges.reduce((all, { length }) => all + length, sum),
    0,
  );
  return text.slice(0, Math.max(0, text.length - gone));
}

function written({ type, update, clientTime }: Row): string {
  // Restored, merged or imported text was not written by this event.
  if (!update || type !== "document.edited") return "";
  try {
    return decodeEdits(update, Date.parse(clientTime))
      .map((edit) => broughtBy(edit.update))
      .join("");
  } catch (fault) {
    // A payload that no reader can decode contains no writing.
    if (fault instanceof PayloadError || fault instanceof UpdateError) return "";
    throw fault;
  }
}

/** Summarizes others' activity in some events of a document by person, most words first. */
export function absenceOf(rows: readonly Row[], me: string): Absence[] {
  const texts = new Map<
    string,
    { text: string; edits: number; comments: number; others: number }
  >();
  for (const row of rows) {
    if (row.actorId === me) continue;
    const known = texts.get(row.actorId) ?? { text: "", edits: 0, comments: 0, others: 0 };
    texts.set(row.actorId, known);
    if (row.update) {
      known.text += written(row);
      known.edits += 1;
    } else if (row.type === "comment.added") known.comments += 1;
    else known.others += 1;
  }
  return [...texts]
    .map(([actorId, { text, ...counts }]) => ({ actorId, words: countWords(text), ...counts }))
    .sort((a, b) => b.words - a.words || b.edits - a.edits);
}

/**
 * Returns the version of the last event that a person appended to a stream, on any device. Returns
 * 0 if there is none.
 */
export async function lastOwnVersion(rows: Rows, stream: string, me: string): Promise<number> {
  const answer = await rows
    .from("events")
    .select("version")
    .eq("stream_id", stream)
    .eq("actor_id", me)
    .order("version", { ascending: false })
    .limit(1);
  if (answer.error) throw faultOf(answer.error, answer.status);
  return lastRow.parse(answer.data)[0]?.version ?? 0;
}
