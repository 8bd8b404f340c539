import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readinessOf } from "./readiness";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const works = async () => undefined;

describe("[OPS-2] readiness", () => {
  test("is there when every part works", async () => {
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

  test("asks the parts once a second, however often it is asked itself", async () => {
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
});
