import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { flushes, readTrace, traceEdits } from "@/tests/support/recordings/traces";
import type { TraceName } from "@/tests/support/recordings/traces";

const names = ["json-crdt-patch", "seph-blog1", "clownschool"] satisfies TraceName[];

/** Prints the size of an edit in the log, with its own time, at one flush a second. */
export function benchPayload(): void {
  for (const name of names) {
    const trace = readTrace(name);
    if (!trace) {
      console.log(`${name}: the recording is not here, not measured`);
      continue;
    }
    const edits = traceEdits(trace);
    const batches = flushes(edits, 1000);
    const began = performance.now();
    const payloads = batches.map(encodeEdits);
    const encoded = performance.now();
    const decoded = payloads.flatMap((payload, index) =>
      decodeEdits(payload, batches[index]?.[0]?.time ?? 0),
    );
    const ended = performance.now();
    const plain = edits.reduce((sum, { update }) => sum + update.length, 0);
    const packed = payloads.reduce((sum, { length }) => sum + length, 0);
    console.log(
      `${name}: ${edits.length} edits in ${batches.length} ` +
        `events (${(edits.length / batches.length).toFixed(1)} ` +
        "each): " +
        `${(packed / edits.length).toFixed(2)} B/edit with its time, ` +
        `plain updates ${(plain / edits.length).toFixed(2)} B/edit; ` +
        `encode ${(((encoded - began) * 1000) / edits.length).toFixed(1)} µs, ` +
        `decode ${(((ended - encoded) * 1000) / edits.length).toFixed(1)} µs per ` +
        "edit",
    );
    if (decoded.length !== edits.length)
      throw new Error(`${name}: ${decoded.length} edits were decoded`);
  }
}

benchPayload();
