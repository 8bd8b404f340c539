import type { Proposal } from "@/events/core/envelope";
import { schemaVersion } from "@/events/content/schema";
import { inAppends } from "@/events/log/append-size";
import type { Refusal } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";
import type { ImportedDocument } from "@/events/worker/import-jobs";

/**
 * The first `ids.length` of the documents were requested. For the last of them, the answer may be
 * missing.
 */
export type BegunDocuments = { documents: readonly ImportedDocument[]; ids: string[] };
export type ImportedPicture = ImportedDocument["pictures"][number];
/**
 * The outcome of sending an image: sent, not displayable (`unfit`), or refused for a reason that
 * applies to all other images.
 */
export type SentPicture = "sent" | "unfit" | { refused: string };

type Ways = {
  workspaceId: string;
  append: Store["append"];
  signal: AbortSignal;
  newId: () => string;
  now: () => string;
  /** Sends an image to the document that shows it. */
  send: (document: string, picture: ImportedPicture) => Promise<SentPicture>;
  onDone: (documents: number, pictures: number) => void;
};

/**
 * The outcome of an import. `unfit` counts the images that could not be added. A network fault
 * throws instead.
 */
type ImportOutcome =
  | { state: "whole"; unfit: number }
  | { state: "cancelled" }
  | { state: "refused"; refusal: Refusal | string };

/**
 * Moves the documents of an import to the trash, one branch after the other. Returns false if a
 * document could not be moved. A document unknown to the log was never created.
 */
export async function takeBackDocuments(
  { documents, ids }: BegunDocuments,
  { append, newId }: Pick<Ways, "append" | "newId">,
): Promise<boolean> {
  let isBack = true;
  for (const [index, id] of ids.entries()) {
    if (documents[index]?.parent !== null) continue;
    const trashed = [{ id: newId(), type: "document.trashed" as const, body: {} }];
    const answer = await append(id, null, trashed).catch(() => null);
    const isGone = answer?.ok || answer?.refusal.name === "illegal-transition";
    isBack &&= isGone === true;
  }
  return isBack;
}

function threadEvents(
  { anchor, isResolved, comments }: ImportedDocument["threads"][number],
  newId: () => string,
  about: { clientTime: string },
): Proposal[] {
  const id = newId();
  const subject = { kind: "thread", id } as const;
  const event = { subject, ...about };
  return [
    {
      id: newId(),
      type: "thread.opened",
      body: { ...anchor },
      ...event,
    },
    ...comments.map((text): Proposal => ({
      id: newId(),
      type: "comment.added",
      subject: { kind: "comment", id: newId() },
      body: { thread: id, text },
      ...about,
    })),
    ...(isResolved ? [{ id: newId(), type: "thread.resolved" as const, body: {}, ...event }] : []),
  ];
}

function requestsOf(
  { documents, ids }: BegunDocuments,
  index: number,
  { workspaceId, newId, now }: Ways,
): Proposal[][] {
  const document = documents[index];
  if (document === undefined) return [];
  const about = { clientTime: now() };
  const created: Proposal = {
    id: newId(),
    type: "document.created",
    body: { workspaceId, title: document.title },
    ...about,
  };
  const edits = document.pieces.map((piece): Proposal => ({
    id: newId(),
    type: "document.edited",
    body: {},
    schema: schemaVersion,
    ...about,
    ...piece,
  }));
  const parent = document.parent === null ? null : (ids[document.parent] ?? null);
  const before = documents.findLastIndex(
    (other, place) => place < index && other.parent === document.parent,
  );
  const moved: Proposal[] =
    parent === null
      ? []
      : [
          {
            id: newId(),
            type: "document.moved",
            body: { parent, after: before < 0 ? null : (ids[before] ?? null) },
            ...about,
          },
        ];
  const comments = document.threads.flatMap((thread) => threadEvents(thread, newId, about));
  return inAppends([created, ...moved, ...edits, ...comments]);
}

/**
 * Creates documents one after the other with ordinary events, each inside its parent. `begun.ids`
 * grows meanwhile, so that a stopped import can be resumed or undone.
 */
export async function appendDocuments(begun: BegunDocuments, ways: Ways): Promise<ImportOutcome> {
  const { documents, ids } = begun;
  let [pictures, unfit] = [0, 0];
  for (let index = ids.length; index < documents.length; index += 1) {
    const id = documents[index]?.id ?? ways.newId();
    let expected: number | null = 0;
    for (const proposals of requestsOf(begun, index, ways)) {
      if (ways.signal.aborted) return { state: "cancelled" };
      // Added before the answer, because the document may exist even if the answer never arrives.
      if (expected === 0) ids.push(id);
      const answer = await ways.append(id, expected, proposals);
      if (!answer.ok) {
        if (expected === 0) ids.pop();
        return { state: "refused", refusal: answer.refusal };
      }
      expected = null;
    }
    for (const picture of documents[index]?.pictures ?? []) {
      if (ways.signal.aborted) return { state: "cancelled" };
      const sent = await ways.send(id, picture);
      if (ways.signal.aborted) return { state: "cancelled" };
      if (typeof sent === "object") return { state: "refused", refusal: sent.refused };
      if (sent === "unfit") unfit += 1;
      ways.onDone(index, (pictures += 1));
    }
    ways.onDone(ids.length, pictures);
  }
  return { state: "whole", unfit };
}
