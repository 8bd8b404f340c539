import { tolerate } from "@/events/core/error-report";
import { countDrafts } from "./comment-drafts";
import { earlyDocuments } from "./early-words";
import { isUnsent } from "./outbox";
import type { Outbox } from "./outbox";
import type { DeviceProposals } from "./proposal-box";

/** The counts of a person's data on this device that the log does not have. */
export type UnsentCount = {
  /** The number of documents with unsent text. */
  documents: number;
  /** The number of titles, icons, moves and other proposals. */
  changes: number;
  comments: number;
  files: number;
  /** The number of comments in progress, which signing out deletes. */
  drafts: number;
};

type Device = {
  outbox: Pick<Outbox, "documents" | "peek">;
  proposals: Pick<DeviceProposals, "count">;
  files: (userId: string) => Promise<number>;
  storage: Pick<Storage, "key" | "length" | "getItem"> | null;
};

/** Counts a person's unsent data on this device. A failed read counts as none. */
export async function countUnsent(userId: string, device: Device): Promise<UnsentCount> {
  const [written, changes, files] = await Promise.all([
    writtenIn(userId, device.outbox).catch(tolerate("looking for unsent edits")),
    device.proposals.count(userId).catch(tolerate("looking for unsent changes")),
    device.files(userId).catch(tolerate("looking for waiting files")),
  ]);
  const drafts = device.storage === null ? null : countDrafts(device.storage, userId);
  return {
    documents: new Set([...(written ?? []), ...earlyDocuments(userId)]).size,
    changes: changes ?? 0,
    comments: drafts?.sent ?? 0,
    files: files ?? 0,
    drafts: drafts?.begun ?? 0,
  };
}

async function writtenIn(userId: string, outbox: Device["outbox"]): Promise<string[]> {
  const documents = await outbox.documents(userId);
  const records = await Promise.all(
    documents.map((documentId) => outbox.peek({ userId, documentId })),
  );
  return documents.filter((_, at) => records[at]?.some(isUnsent) === true);
}

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${many}`];

/** Whether all data is sent. Comments in progress do not count. */
export function isAllSent({ documents, changes, comments, files }: UnsentCount): boolean {
  return documents + changes + comments + files === 0;
}

/** Describes in sentences what signing out means for unsent changes. */
export function unsentWords(count: UnsentCount): string {
  const { documents, changes, comments, files, drafts } = count;
  const waiting = [
    ...counted(documents, "document with text", "documents with text"),
    ...counted(changes, "change to titles or places", "changes to titles or places"),
    ...counted(comments, "comment", "comments"),
    ...counted(files, "upload", "uploads"),
  ];
  const list = new Intl.ListFormat("en").format(waiting);
  const one = documents + changes + comments + files === 1;
  return [
    waiting.length > 0 &&
      `${list} ${one ? "is" : "are"} not sent yet. ` +
        `${one ? "It stays" : "They stay"} on this device, and ${one ? "is" : "are"} sent when you sign in here again.`,
    drafts > 0 &&
      `${drafts === 1 ? "A comment that you have not posted is" : `${drafts} comments that you have not posted are`} deleted.`,
  ]
    .filter(Boolean)
    .join(" ");
}
