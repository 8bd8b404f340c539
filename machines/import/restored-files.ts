import { type StandingFile, standingFiles } from "@/events/core/standing-files";
import type { Refusal } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";
import type { CheckedBundle } from "@/events/proof/bundle-check";
import { type CalledOff, takeBack } from "./importing";

/**
 * An image or a file of a bundle, as the new document is to have it; `event` is the id of the event
 * that records it, however often that is tried.
 */
export type RestoredFile = StandingFile & { event: string; bytes: Uint8Array };

/** The images and files that a bundle brings, under the ids by which its texts name them. */
export function restoredFiles(
  { bundle: { rows, files } }: CheckedBundle,
  newId: () => string,
): RestoredFile[] {
  return standingFiles(rows).flatMap(({ file, body }) => {
    const bytes = files.get(body.sha256);
    return bytes ? [{ file, body, bytes, event: newId() }] : [];
  });
}

type Ways = {
  append: Store["append"];
  /** Sends the bytes of a file; answers why the service takes them not, if it does not. */
  send: (file: RestoredFile) => Promise<string | null>;
  signal: AbortSignal;
  newId: () => string;
  onDone: (done: number) => void;
};

type Restored = { state: "whole" } | { state: "refused"; refusal: Refusal | string } | CalledOff;

/**
 * Gives a document that was imported its images and files, one after the other, `from` the first
 * that is missing. What the workspace has stored already is not sent again. Called off, the document
 * goes to the trash.
 */
export async function restoreFiles(
  document: string,
  { files, from }: { files: readonly RestoredFile[]; from: number },
  { append, send, signal, newId, onDone }: Ways,
): Promise<Restored> {
  for (const [index, restored] of files.entries()) {
    if (index < from) continue;
    if (signal.aborted) break;
    const { file, body, event } = restored;
    const answer = await append(document, null, [
      { id: event, type: "file.attached", body, subject: { kind: "file", id: file } },
    ]);
    if (!answer.ok) {
      if (answer.refusal.reason !== "file-missing")
        return { state: "refused", refusal: answer.refusal };
      const why = await send(restored);
      if (signal.aborted) break;
      if (why !== null) return { state: "refused", refusal: why };
    }
    onDone(index + 1);
  }
  return signal.aborted ? takeBack(document, { append, newId }) : { state: "whole" };
}
