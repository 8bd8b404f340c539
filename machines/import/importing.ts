import type { Proposal } from "@/events/core/envelope";
import type { Refusal } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";

/** A document of which `done` of its appends are recorded. */
export type Begun = { document: string; appends: Proposal[][]; done: number };

/**
 * How far an import came: to its end, to a refusal, or to where it was called off, and whether what
 * was begun is in the trash then.
 */
type Imported =
  { state: "whole" } | { state: "refused"; refusal: Refusal; done: number } | CalledOff;
/** `left`: what was begun could not be moved to the trash. */
export type CalledOff = { state: "cancelled"; left: boolean };

type Ways = {
  append: Store["append"];
  signal: AbortSignal;
  newId: () => string;
  onDone: (done: number) => void;
};

/** Moves a document to the trash of which only a part has come. */
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
 * Brings an import into its document, one request after the other. Called off, it asks for no more
 * and moves what was begun to the trash, for a part of a history is nobody's document. A fault of
 * the network throws; `onDone` has told how far it came.
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
