import { expect, it } from "vitest";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";
import { StoreFault } from "@/events/log/store";
import { RowReading } from "./row-reading";

/** Creates a reading whose server answers on command. */
function harness() {
  const clock = new VirtualClock();
  const reads: { ids: readonly string[]; answer: () => void; fail: (fault: Error) => void }[] = [];
  const reading = new RowReading({
    read: (ids) =>
      new Promise((answer, fail) => {
        reads.push({ ids, answer, fail });
      }),
    clock,
    random: { unit: () => 0 },
  });
  const heard: string[] = [];
  return { clock, reads, reading, heard, hears: (id: string) => () => void heard.push(id) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("[TREE-7] batches the rows requested during a read", async () => {
  const { reads, reading, heard, hears } = harness();
  const first = reading.ask(["a"], hears("a"));
  await settled();
  const second = reading.ask(["b", "c"], hears("b"));
  void reading.ask(["b"], hears("b again"));
  expect(reads.map(({ ids }) => ids)).toEqual([["a"]]);
  reads[0]?.answer();
  await settled();
  expect(heard).toEqual(["a"]);
  expect(reads.map(({ ids }) => ids)).toEqual([["a"], ["b", "c"]]);
  reads[1]?.answer();
  await Promise.all([first, second]);
  expect(heard).toEqual(["a", "b", "b again"]);
});

it("[TREE-7] retries a failed read, and reports nothing before it succeeds", async () => {
  const { clock, reads, reading, heard, hears } = harness();
  const end = reading.begin();
  const asked = reading.ask(["a"], hears("a"));
  await settled();
  reads[0]?.fail(new StoreFault("no answer", 0));
  await asked;
  expect(heard).toEqual([]);
  await clock.advance(499);
  expect(reads).toHaveLength(1);
  await clock.advance(1);
  await settled();
  // The second read includes the requests made during the first.
  expect(reads.map(({ ids }) => ids)).toEqual([["a"], ["a"]]);
  reads[1]?.fail(new StoreFault("busy", 503));
  await settled();
  void reading.ask(["b"]);
  await settled();
  expect(reads[2]?.ids).toEqual(["a", "b"]);
  reads[2]?.answer();
  await settled();
  expect(heard).toEqual(["a"]);
  // A new request arrived while a retry was waiting.
  await clock.advance(60_000);
  await settled();
  expect(reads).toHaveLength(3);
  end();
});

it("[TREE-7] stops retrying after its end", async () => {
  const { clock, reads, reading, heard, hears } = harness();
  const end = reading.begin();
  const lost = reading.ask(["a"], hears("a"));
  await settled();
  reads[0]?.fail(new StoreFault("no answer", 0));
  await lost;
  end();
  await clock.advance(60_000);
  await settled();
  expect(reads).toHaveLength(1);
  expect(heard).toEqual([]);
});

it("[TREE-7] gives up a read that cannot succeed, reports it, and continues with others", async () => {
  const { clock, reads, reading, heard, hears } = harness();
  const end = reading.begin();
  const denied = reading.ask(["a"], hears("a"));
  await settled();
  reads[0]?.fail(new StoreFault("no right", 403));
  await denied;
  const asked = reading.ask(["b"], hears("b"));
  await settled();
  reads[1]?.fail(new TypeError("wrong"));
  await expect(asked).rejects.toThrow("wrong");
  expect(heard).toEqual(["a", "b"]);
  void reading.ask(["c"]);
  await clock.advance(60_000);
  expect(reads.map(({ ids }) => ids)).toEqual([["a"], ["b"], ["c"]]);
  end();
});
