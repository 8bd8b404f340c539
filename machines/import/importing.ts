import type { Proposal } from "@/events/core/envelope";
import type { Refusal } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";

/** A document, its appends, and the number `done` of appends that are recorded. */
export type Begun = { document: string; appends: Proposal[][]; done: number };

/**
 * The outcome of an import: complete, refused, or cancelled. A cancelled import also says whether
 * its document is in the trash.
 */
type Imported =
  { state: "whole" } | { state: "refused"; refusal: Refusal; done: number } | CalledOff;
/** `left` means that the document could not be moved to the trash. */
export type CalledOff = { state: "cancelled"; left: boolean };

type Ways = {
  append: Store["append"];
  signal: AbortSignal;
  newId: () => string;
  onDone: (done: number) => void;
};

/** Moves a partly imported document to the trash. */
export async function takeBack(
  document: string,
  { append, newId }: Pick<Ways, "append" | "newId">,
): Promise<CalledOff> {
  const trashed = await append(document, null, [
    { id: newId(), type: "document.trashed", body: {} },
  ]);
  return { state: "cancelled", left: !trashed.ok };
}

/**
 * Appends an import to its document, one request after the other. A cancelled import stops and
 * moves the document to the trash, because a partial history is useless. Network faults throw;
 * `onDone` has reported the progress by then.
 */
export async function appendImport(
  { document, appends, done: from }: Begun,
  { append, signal, newId, onDone }: Ways,
): Promise<Imported> {
  let done = from;
  for (const proposals of appends.slice(from)) {
    if (signal.aborted) break;
    const answer = await append(document, done === 0 ? 0 : null, proposals);
    if (!answer.ok) {
      if (signal.aborted) break;
      return { state: "refused", refusal: answer.refusal, done };
    }
    done += 1;
    onDone(done);
  }
  if (!signal.aborted) return { state: "whole" };
  return done === 0 ? { state: "cancelled", left: false } : takeBack(document, { append, newId });
}
