import { describe, expect, it } from "vitest";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { absent, flushes, readTrace, traceEdits } from "@/tests/support/recordings/traces";

describe("payload of recorded sessions", () => {
  for (const name of ["json-crdt-patch", "clownschool"] as const) {
    const trace = readTrace(name);
    if (trace === null) {
      it.skip(absent(name));
      continue;
    }
    it(`packs ${name} into eight bytes an edit at one flush a second, losing none [PAYLOAD-6]`, () => {
      const batches = flushes(traceEdits(trace), 1000);
      let bytes = 0;
      for (const batch of batches) {
        const payload = encodeEdits(batch);
        bytes += payload.length;
        const back = decodeEdits(payload, batch[0]?.time ?? 0);
        expect(back.map(({ update }) => Buffer.from(update).toString("hex"))).toEqual(
          batch.map(({ update }) => Buffer.from(update).toString("hex")),
        );
      }
      expect(bytes / batches.flat().length).toBeLessThanOrEqual(8);
    });
  }
});
