import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StandingSet } from "./standing-set";

describe("a standing set", () => {
  it("finds the neighbours that a sorted list has, after any changes", () => {
    const changes = fc.array(fc.record({ value: fc.nat(4999), gone: fc.boolean() }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(
        changes,
        fc.array(fc.nat(4999), { minLength: 20, maxLength: 20 }),
        (steps, asked) => {
          const set = new StandingSet(5000);
          const plain = new Set<number>();
          for (const { value, gone } of steps) {
            if (gone) set.delete(value);
            else set.add(value);
            if (gone) plain.delete(value);
            else plain.add(value);
          }
          for (const value of [...asked, ...steps.map((step) => step.value)]) {
            expect(set.has(value)).toBe(plain.has(value));
            expect(set.before(value)).toBe(
              Math.max(-1, ...[...plain].filter((each) => each < value)),
            );
            const above = [...plain].filter((each) => each > value);
            expect(set.after(value)).toBe(above.length === 0 ? -1 : Math.min(...above));
          }
        },
      ),
    );
  });
});
