import { blockAt } from "@/events/history/timeline/text-page";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { flushes, readTrace, traceEdits } from "@/tests/support/recordings/traces";
import type { TraceName } from "@/tests/support/recordings/traces";

const names = ["clownschool", "json-crdt-patch", "seph-blog1"] satisfies TraceName[];

/** Prints how long it takes to open a history from its rows, and to show a distant revision. */
export function benchTimeline(): void {
  for (const name of names) {
    const trace = readTrace(name);
    if (!trace) {
      console.log(`${name}: the recording is not here, not measured`);
      continue;
    }
    const edits = traceEdits(trace).map((edit) => ({ ...edit, actorId: `person ${edit.agent}` }));
    const rows = stream(
      name,
      trace.agents === 1
        ? flushes(edits, 1000).map((batch) =>
            batch.map((edit) => ({ ...edit, actorId: "person 0" })),
          )
        : edits.map((edit) => [edit]),
    );
    const began = performance.now();
    const timeline = openTimeline(rows);
    const opened = performance.now() - began;
    const seeks = Array.from({ length: 100 }, (_, index) => {
      const at = (index * 7919 * 31) % timeline.length;
      const from = performance.now();
      for (const block of timeline.blocks)
        blockAt(block, { at, struckSince: at, tint: (born) => timeline.authorOf(born) });
      return performance.now() - from;
    }).sort((a, b) => a - b);
    console.log(
      `${name}: ${timeline.length} revisions from ${rows.length} events open in ${opened.toFixed(0)} ms; ` +
        `a far revision takes p50 ${(seeks[50] ?? 0).toFixed(2)} ms, ` +
        `p95 ${(seeks[95] ?? 0).toFixed(2)} ms (without the page)`,
    );
  }
}

benchTimeline();
