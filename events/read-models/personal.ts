/**
 * A person's own settings for a workspace. They are not in the log, and only that person can read
 * them.
 */
import * as z from "zod/mini";
import { readByIds, readRows } from "@/events/log/paged-rows";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

export const personal = z.object({
  /** Changes up to this time count as read. */
  readAt: z.string(),
  /** Document ids, in the person's own order. */
  favourites: z.readonly(z.array(z.string())),
  /** The ids of the most recently opened documents, newest first. */
  recents: z.readonly(z.array(z.string())),
  /** For each document that others changed since: the version up to which it was read, or 0. */
  unread: z.readonly(z.record(z.string(), z.int())),
});
export type Personal = z.infer<typeof personal>;

export const noPersonal: Personal = { readAt: "", favourites: [], recents: [], unread: {} };
const seenRow = z.object({ document_id: z.string(), seen_version: z.int() });

/** The broadcast on an account's channel that notifies its pages of a change. */
export const personalNotice = "personal";
const notice = z.object({
  workspace: z.string(),
  document: z.optional(z.string()),
  version: z.optional(z.int()),
});

/** Parses a broadcast. Returns null if this version does not understand the broadcast. */
export function parsePersonalNotice(payload: unknown): z.infer<typeof notice> | null {
  return notice.safeParse(payload).data ?? null;
}

async function called(rows: Rows, name: string, args: object): Promise<unknown> {
  const { data, error, status } = await rows.rpc(name, args);
  if (error) throw faultOf(error, status);
  return data;
}

/** Reads the reader's settings for a workspace. A person who is not a member gets the defaults. */
export async function readPersonal(rows: Rows, workspace: string): Promise<Personal> {
  const answer = await called(rows, "read_personal", { workspace });
  return answer === null ? noPersonal : personal.parse(answer);
}

/** Reads how far the reader has read some documents, by id. Documents never opened are absent. */
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

/** Records how far the reader has read a document, and whether they have just opened it. */
export async function markSeen(
  rows: Rows,
  document: string,
  version: number,
  opened: boolean,
): Promise<void> {
  await called(rows, "mark_seen", { document, version, opened });
}

/** Marks all changes up to a time by the database's clock as read. */
export async function markAllRead(rows: Rows, workspace: string, until: string): Promise<boolean> {
  return (await called(rows, "mark_all_read", { workspace, until })) === true;
}

/** Adds a favourite at a position (null: last) or removes it. Resolves to false if impossible. */
export async function setFavourite(
  rows: Rows,
  document: string,
  favourite: boolean,
  place: number | null,
): Promise<boolean> {
  return (await called(rows, "set_favourite", { document, favourite, place })) === true;
}
