import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue";

const drained = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) taken.push(next);
  return taken;
};

test("[API-60] takes turns between networks, and between the accounts of a network", () => {
  const queue = new FairQueue<string>();
  for (const number of [1, 2, 3])
    queue.add({ network: "10.0.0.1", account: "mallory" }, `m${number}`);
  queue.add({ network: "10.0.0.1", account: "ana" }, "a1");
  queue.add({ network: "10.0.0.2", account: "ben" }, "b1");
  queue.add({ network: "10.0.0.2", account: "ben" }, "b2");
  expect(queue.size).toBe(6);
  expect(queue.sizeOf({ network: "10.0.0.1" })).toBe(4);
  expect(queue.sizeOf({ network: "10.0.0.1", account: "mallory" })).toBe(3);
  expect(drained(queue)).toEqual(["m1", "b1", "a1", "b2", "m2", "m3"]);
  expect(queue.size).toBe(0);
});

test("[API-60] removes an entry, and reports whether it was still waiting", () => {
  const queue = new FairQueue<string>();
  const [ana, ben] = [
    { network: "10.0.0.1", account: "ana" },
    { network: "10.0.0.1", account: "ben" },
  ];
  queue.add(ana, "a1");
  queue.add(ana, "a2");
  queue.add(ben, "b1");
  expect(queue.remove(ana, "a1")).toBe(true);
  expect(queue.remove(ben, "b1")).toBe(true);
  expect(queue.remove(ben, "b1")).toBe(false);
  expect(drained(queue)).toEqual(["a2"]);
  expect(queue.remove(ana, "a2")).toBe(false);
});
