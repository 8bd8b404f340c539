import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PasswordPool } from "./password-pool";
import type { PasswordTask, PasswordWorker } from "./password-pool";

/** A worker whose answers the test controls. */
class FakeWorker extends EventEmitter implements PasswordWorker {
  readonly tasks: string[] = [];
  isTerminated = false;

  postMessage(task: PasswordTask): void {
    this.tasks.push(task.text);
  }

  terminate(): void {
    this.isTerminated = true;
    this.emit("exit", 1);
  }
}

const compare = (text: string): PasswordTask => ({ kind: "compare", text, hash: "" });
const ana = { network: "10.0.0.1", account: "ana" };
const ben = { network: "10.0.0.2", account: "ben" };

let workers: FakeWorker[];
let pool: PasswordPool;
beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  pool = new PasswordPool(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    { workers: 1, perAccount: 2, perNetwork: 3, waiting: 1000, running: 500 },
  );
});
afterEach(() => vi.useRealTimers());

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) =>
      error instanceof Error ? ("reason" in error ? error.reason : error.message) : error,
  );

test("[API-60] a worker does one task at a time, and accounts take turns", async () => {
  const done = ["a1", "a2", "a3"].map((text) => pool.run(ana, null, compare(text)));
  const other = pool.run(ben, null, compare("b1"));
  expect(workers).toHaveLength(1);
  expect(workers[0]?.tasks).toEqual(["a1"]);
  for (let index = 0; index < 4; index += 1)
    workers[0]?.emit("message", { value: index % 2 === 0 });
  expect(workers[0]?.tasks).toEqual(["a1", "a2", "b1", "a3"]);
  expect(await Promise.all([...done, other])).toEqual([true, false, false, true]);
});

test("[API-60] tasks above the limit of an account or network are refused at once", async () => {
  void pool.run(ana, null, compare("running"));
  const kept = [pool.run(ana, null, compare("1")), pool.run(ana, null, compare("2"))];
  expect(await reason(pool.run(ana, null, compare("3")))).toBe("busy");
  const colleague = { ...ana, account: "carol" };
  kept.push(pool.run(colleague, null, compare("4")));
  expect(await reason(pool.run(colleague, null, compare("5")))).toBe("busy");
  kept.push(pool.run(ben, null, compare("6")));
  for (let index = 0; index < 5; index += 1) workers[0]?.emit("message", { value: true });
  expect(await Promise.all(kept)).toEqual([true, true, true, true]);
});

test("[API-60] a task is dropped when its caller disconnects or has waited too long", async () => {
  void pool.run(ana, null, compare("running"));
  const gone = new AbortController();
  const left = reason(pool.run(ana, gone.signal, compare("left")));
  gone.abort();
  expect(await left).toBe("left");
  expect(await reason(pool.run(ana, gone.signal, compare("late")))).toBe("left");
  const waiting = reason(pool.run(ben, null, compare("waited")));
  expect(pool.waiting).toBe(1);
  // The running task keeps its own time limit.
  vi.advanceTimersByTime(400);
  workers[0]?.emit("message", { value: true });
  expect(workers[0]?.tasks).toEqual(["running", "waited"]);
  const next = reason(pool.run(ana, null, compare("next")));
  vi.advanceTimersByTime(500);
  expect(await waiting).toBe("busy");
  expect(workers[0]?.isTerminated).toBe(true);
  expect(workers[1]?.tasks).toEqual(["next"]);
  workers[1]?.emit("message", { value: true });
  expect(await next).toBe("done");
});

test("[API-60] a fault in a worker fails its task alone", async () => {
  const first = reason(pool.run(ana, null, compare("first")));
  const second = reason(pool.run(ana, null, compare("second")));
  workers[0]?.emit("error", new Error("out of memory"));
  expect(await first).toBe("out of memory");
  expect(workers[1]?.tasks).toEqual(["second"]);
  workers[1]?.emit("message", { fault: "no salt" });
  expect(await second).toBe("no salt");
});
