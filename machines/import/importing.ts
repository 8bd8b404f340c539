import type { Proposal } from "@/events/core/envelope";
import type { Refusal } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";

/** A document with `done` of its appends recorded. */
export type Begun = { document: string; appends: Proposal[][]; done: number };

/**
 * How an import ended: complete, refused, or cancelled, and whether its document is in the trash
 * then.
 */
type Imported =
  { state: "whole" } | { state: "refused"; refusal: Refusal; done: number } | CalledOff;
/** `left`: the document could not be moved to the trash. */
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
 * Appends an import to its document, one request after the other. When cancelled, it stops and
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
