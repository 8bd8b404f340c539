import { standingFiles } from "@/events/core/standing-files";
import type { StandingFile } from "@/events/core/standing-files";
import type { Refusal } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";
import type { CheckedBundle } from "@/events/proof/bundle-check";
import { takeBack } from "./importing";
import type { CalledOff } from "./importing";

/**
 * An image or file of a bundle for the new document. `event` is the id of the event that records
 * the file, which is the same on every retry.
 */
export type RestoredFile = StandingFile & { event: string; bytes: Uint8Array };

/** Returns the images and files of a bundle, under the ids by which its texts refer to them. */
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
  /** Sends the bytes of a file. Resolves to the reason if the service refuses them, else null. */
  send: (file: RestoredFile) => Promise<string | null>;
  signal: AbortSignal;
  newId: () => string;
  onDone: (done: number) => void;
};

type Restored = { state: "whole" } | { state: "refused"; refusal: Refusal | string } | CalledOff;

/**
 * Attaches the images and files to an imported document one after the other, starting with index
 * `from`. Files that the workspace already has are not sent again. Cancelling moves the document to
 * the trash.
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
