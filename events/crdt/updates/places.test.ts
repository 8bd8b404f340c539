import fc from "fast-check";
import { expect, it } from "vitest";
import { Places } from "./places";

const range = fc.record({
  client: fc.integer({ min: 1, max: 2 }),
  clock: fc.nat(40),
  length: fc.integer({ min: 1, max: 6 }),
});

it("holds exactly the ids of the given ranges, in any order", () => {
  fc.assert(
    fc.property(
      fc.array(range, { maxLength: 20 }),
      fc.array(range, { maxLength: 20 }),
      (first, then) => {
        const places = new Places();
        const ids = new Set<string>();
        for (const some of [first, then]) {
          places.add(some);
          for (const { client, clock, length } of some)
            for (let at = 0; at < length; at += 1) ids.add(`${client}:${clock + at}`);
          for (const client of [1, 2, 3])
            for (let clock = 0; clock < 50; clock += 1)
              expect(places.meet([{ client, clock, length: 1 }])).toBe(
                ids.has(`${client}:${clock}`),
              );
        }
        const decoded = places
          .ranges()
          .flatMap(({ client, clock, length }) =>
            Array.from({ length }, (_, at) => `${client}:${clock + at}`),
          );
        expect([...decoded].sort()).toEqual([...ids].sort());
      },
    ),
  );
});
