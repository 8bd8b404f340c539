import * as Y from "yjs";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import type { LiveDocument } from "@/machines/sync/live-document";
import { paragraphText, traceClients } from "./traces";
import type { Trace, TraceEdit } from "./traces";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

/** Returns the text of a recorded session as a page shows it. */
export const textOf = (doc: Y.Doc) =>
  doc.getXmlFragment("default").length > 0 ? paragraphText(doc).toString() : "";

/** Waits for a condition of a live system. `what` describes the failure on timeout. */
export async function until(
  condition: () => boolean,
  what: () => string,
  most = 60_000,
): Promise<void> {
  const end = Date.now() + most;
  while (!condition()) {
    if (Date.now() > end) throw new Error(what());
    await pause(20);
  }
}

/**
 * Returns the clocks of each transaction's parents. A transaction may be typed once the typist's
 * page has reached these clocks.
 */
function needs({ txns }: Trace, edits: TraceEdit[]): Map<number, number>[] {
  const reached = new Map<number, number>();
  const after: [client: number, clock: number][] = edits.map(({ agent, update }) => {
    const client = traceClients[agent] ?? 0;
    for (const { clock, length } of inspectUpdate(update).structs)
      reached.set(client, clock + length);
    return [client, reached.get(client) ?? 0];
  });
  const first = new Map(after.slice(0, 1));
  return [
    new Map<number, number>(),
    ...txns.map(
      ({ parents = [] }) =>
        new Map([...first, ...parents.map((parent) => after[parent + 1] ?? ([0, 0] as const))]),
    ),
  ];
}

/**
 * Types one agent's transactions of a recording, each as soon as its parents have arrived on the
 * page.
 */
export function recordedTyping(recording: Trace, edits: TraceEdit[]) {
  const needed = needs(recording, edits);
  let progress = Date.now();
  return async (live: Pick<LiveDocument, "doc">, agent: number): Promise<void> => {
    const own = edits.flatMap((edit, index) =>
      edit.agent === agent ? [{ edit, needed: needed[index] ?? new Map<number, number>() }] : [],
    );
    for (const [position, { edit, needed }] of own.entries()) {
      for (
        let shown = -1;
        [...needed].some(([client, clock]) => Y.getState(live.doc.store, client) < clock);
      ) {
        const now = [...needed.keys()].reduce(
          (sum, client) => sum + Y.getState(live.doc.store, client),
          0,
        );
        if (now > shown) progress = Date.now();
        shown = now;
        if (Date.now() - progress > 60_000)
          throw new Error(`Agent ${agent} never received the dependencies of edit ${position}`);
        await pause(1);
      }
      progress = Date.now();
      Y.applyUpdate(live.doc, edit.update, "typing");
      if (position % 8 === 0) await turn();
    }
  };
}
