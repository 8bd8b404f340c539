import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { atMostOnceIn, readinessOf } from "./readiness";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const works = async () => undefined;

describe("[OPS-2] readiness", () => {
  test("is given when every part works", async () => {
    const readiness = readinessOf({ database: works, realtime: works }, () => 0);
    expect(await readiness()).toEqual({
      ready: true,
      checks: { database: "ok", realtime: "ok" },
    });
  });

  test("names the part that failed, and one that does not answer", async () => {
    const readiness = readinessOf(
      {
        database: works,
        migrations: () => Promise.reject(new Error("missing")),
        realtime: () => new Promise<void>(() => undefined),
      },
      () => 0,
    );
    const answer = readiness();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answer).toEqual({
      ready: false,
      checks: { database: "ok", migrations: "failed", realtime: "failed" },
    });
  });

  test("checks the parts at most once a second", async () => {
    const check = vi.fn(works);
    let now = 0;
    const readiness = readinessOf({ database: check }, () => now);
    await Promise.all(Array.from({ length: 100 }, () => readiness()));
    now = 999;
    await readiness();
    expect(check).toHaveBeenCalledTimes(1);
    now = 1_000;
    await readiness();
    expect(check).toHaveBeenCalledTimes(2);
  });

  test("does not check a part again before it has answered", async () => {
    let answer: () => void = () => undefined;
    const check = vi.fn(() => new Promise<void>((settle) => (answer = settle)));
    let now = 0;
    const readiness = readinessOf({ database: check }, () => now);
    for (let asked = 0; asked < 30; asked += 1) {
      const answered = readiness();
      await vi.advanceTimersByTimeAsync(2_000);
      expect((await answered).ready).toBe(false);
      now += 2_000;
    }
    expect(check).toHaveBeenCalledTimes(1);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    now += 2_000;
    const answered = readiness();
    answer();
    expect((await answered).ready).toBe(true);
    expect(check).toHaveBeenCalledTimes(2);
  });
});

describe("[OPS-8] a part with a costly check", () => {
  test("is checked once per interval, and its last result counts meanwhile, also a failure", async () => {
    let isWorking = true;
    const check = vi.fn(() => (isWorking ? works() : Promise.reject(new Error("read-only"))));
    let now = 0;
    const rested = atMostOnceIn(5_000, check, () => now);
    await rested();
    isWorking = false;
    now = 4_999;
    await rested();
    now = 5_000;
    await expect(rested()).rejects.toThrow("read-only");
    isWorking = true;
    now = 9_999;
    await expect(rested()).rejects.toThrow("read-only");
    expect(check).toHaveBeenCalledTimes(2);
    now = 10_000;
    await rested();
    expect(check).toHaveBeenCalledTimes(3);
  });
});
