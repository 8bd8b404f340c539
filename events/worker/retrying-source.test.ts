import { expect, it } from "vitest";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { StoreFault } from "@/events/log/store";
import { retryingSource } from "./retrying-source";

/** Creates a source whose first answers are these faults. */
function failing(...faults: Error[]) {
  const asked: [string, number, number | undefined][] = [];
  const clock = new VirtualClock();
  const stop = new AbortController();
  const source = retryingSource(
    {
      read: async (stream, after, max) => {
        asked.push([stream, after, max]);
        const fault = faults.shift();
        if (fault) throw fault;
        return [];
      },
    },
    { clock, random: seededRandom(1), signal: stop.signal },
  );
  return { asked, clock, source, stop };
}

const lost = () => new StoreFault("Nobody answered.", 0);

it("[REPLAY-13] asks again for a page that was not answered", async () => {
  const { asked, clock, source } = failing(lost(), lost());
  const read = source.read("notes", 5, 10);
  await clock.advance(10_000);
  expect(await read).toEqual([]);
  expect(asked).toEqual(Array.from({ length: 3 }, () => ["notes", 5, 10]));
});

it("[REPLAY-13] gives up after the third attempt, and at once after a fault that a retry cannot mend", async () => {
  const down = failing(lost(), lost(), lost(), lost());
  const read = expect(down.source.read("notes", 0)).rejects.toThrow("Nobody answered.");
  await down.clock.advance(10_000);
  await read;
  expect(down.asked).toHaveLength(3);
  const denied = failing(new StoreFault("Not yours.", 403));
  await expect(denied.source.read("notes", 0)).rejects.toThrow("Not yours.");
  expect(denied.asked).toHaveLength(1);
});

it("[REPLAY-13] asks no more once it is aborted", async () => {
  const { asked, clock, source, stop } = failing(lost());
  const read = expect(source.read("notes", 0)).rejects.toThrow();
  stop.abort();
  await clock.advance(10_000);
  await read;
  expect(asked).toHaveLength(1);
});
