import { expect, it } from "vitest";
import { JobQueue } from "./job-queue";

it("[START-21] hands out the job of the owner with the least processor time", () => {
  const queue = new JobQueue<string>(100);
  for (const job of ["m1", "m2", "m3", "a1", "b1", "a2"]) queue.add(job.slice(0, 1), job);
  const cost: Record<string, number> = { m: 20_000, a: 50, b: 80 };
  const order: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) {
    order.push(job);
    queue.charge(job.slice(0, 1), cost[job.slice(0, 1)] ?? 0);
    if (job === "m2") queue.add("b", "b2");
  }
  expect(order).toEqual(["m1", "a1", "b1", "a2", "m2", "b2", "m3"]);
  queue.forget();
  for (const job of ["m4", "a3"]) queue.add(job.slice(0, 1), job);
  expect(queue.take()).toBe("m4");
});

it("[START-21] drops a job whose caller disconnected", () => {
  const queue = new JobQueue<string>(2);
  queue.add("a", "a1");
  queue.add("a", "a2");
  expect(queue.add("a", "a3")).toBe("a3");
  queue.remove("a", "a1");
  queue.remove("a", "a1");
  queue.remove("b", "b1");
  expect([queue.size, queue.add("a", "a3"), queue.take(), queue.take()]).toEqual([
    1,
    undefined,
    "a2",
    "a3",
  ]);
  expect(queue.take()).toBeUndefined();
});
