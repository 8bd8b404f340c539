/** What a person keeps for themselves of a workspace: it is in no log, and nobody else reads it. */
import * as z from "zod/mini";
import { readByIds, readRows } from "@/events/log/paged-rows";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

export const personal = z.object({
  /** What had changed by then counts as read. */
  readAt: z.string(),
  /** Ids of documents, in the person's own order. */
  favourites: z.readonly(z.array(z.string())),
  /** The documents that were opened last, newest first. */
  recents: z.readonly(z.array(z.string())),
  /** Of what somebody else changed since: the version up to which it was read, 0 for none. */
  unread: z.readonly(z.record(z.string(), z.int())),
});
export type Personal = z.infer<typeof personal>;

export const noPersonal: Personal = { readAt: "", favourites: [], recents: [], unread: {} };
const seenRow = z.object({ document_id: z.string(), seen_version: z.int() });

/** The name of the broadcast on an account's channel that tells its pages of a change. */
export const personalNotice = "personal";
const notice = z.object({
  workspace: z.string(),
  document: z.optional(z.string()),
  version: z.optional(z.int()),
});

/** What a broadcast tells; null where that is nothing this version understands. */
export function parsePersonalNotice(payload: unknown): z.infer<typeof notice> | null {
  return notice.safeParse(payload).data ?? null;
}

async function called(rows: Rows, name: string, args: object): Promise<unknown> {
  const { data, error, status } = await rows.rpc(name, args);
  if (error) throw faultOf(error, status);
  return data;
}

/** What the reader keeps of a workspace; nothing for who does not belong to it. */
export async function readPersonal(rows: Rows, workspace: string): Promise<Personal> {
  const answer = await called(rows, "read_personal", { workspace });
  return answer === null ? noPersonal : personal.parse(answer);
}

/** How far the reader has read some documents, by id; those never opened are left out. */
export async function readSeen(
  rows: Rows,
  documents: readonly string[],
): Promise<Map<string, number>> {
  const found = await readByIds(documents, async (some) =>
    readRows(
      await rows
        .from("personal_documents")
        .select("document_id,seen_version")
        .in("document_id", some),
      seenRow,
    ),
  );
  return new Map(found.map((row) => [row.document_id, row.seen_version]));
}

/** Keeps how far the reader has read a document, and whether they have just opened it. */
export async function markSeen(
  rows: Rows,
  document: string,
  version: number,
  opened: boolean,
): Promise<void> {
  await called(rows, "mark_seen", { document, version, opened });
}

/** Keeps that the reader has read whatever had changed until a time, the database's own. */
export async function markAllRead(rows: Rows, workspace: string, until: string): Promise<boolean> {
  return (await called(rows, "mark_all_read", { workspace, until })) === true;
}

/** Adds a favourite at a place (null: behind the others) or takes it away; false where that cannot be. */
export async function setFavourite(
  rows: Rows,
  document: string,
  favourite: boolean,
  place: number | null,
): Promise<boolean> {
  return (await called(rows, "set_favourite", { document, favourite, place })) === true;
}
