import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv("PALIMPSEST_BUILD", "b1");
  vi.resetModules();
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const answered = (build?: string) =>
  Promise.resolve(
    new Response(null, { headers: build === undefined ? {} : { "x-palimpsest-build": build } }),
  );

/** Imports a part that is unavailable. Returns the number of requests and the reported releases. */
async function asking(server: () => Promise<Response>) {
  const { importWithRetry } = await import("./retrying-import");
  const { knownRelease, onRelease } = await import("./release");
  vi.stubGlobal("fetch", server);
  let there = false;
  let asked = 0;
  const reports: string[] = [];
  const stop = onRelease(() => reports.push(knownRelease()));
  const part = importWithRetry(async () => {
    asked += 1;
    if (!there) throw new Error("it cannot be had");
    return "the part";
  });
  await vi.advanceTimersByTimeAsync(0);
  const atOnce = [...reports];
  await vi.advanceTimersByTimeAsync(50_000);
  const meanwhile = { asked, atOnce, reports: [...reports] };
  there = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await part).toBe("the part");
  stop();
  return meanwhile;
}

test(
  "[OFFLINE-5] requests a part until it arrives, and reports nothing missing " +
    "without a network",
  async () => {
    expect(await asking(() => Promise.reject(new TypeError("no network")))).toEqual({
      asked: 17,
      atOnce: [],
      reports: [],
    });
  },
);

test("[OFFLINE-5] reports a part missing from its own build once, and keeps requesting it", async () => {
  expect(await asking(() => answered("b1"))).toEqual({
    asked: 17,
    atOnce: [],
    reports: ["part-missing"],
  });
});

test(
  "[OFFLINE-24] reports a part replaced by a newer build at once, " + "and only once",
  async () => {
    expect(await asking(() => answered("b2"))).toEqual({
      asked: 17,
      atOnce: ["replaced"],
      reports: ["replaced"],
    });
  },
);

test("[OFFLINE-24] does not take an answer from a login page or proxy for a newer build", async () => {
  expect(await asking(() => answered())).toEqual({ asked: 17, atOnce: [], reports: [] });
  expect(
    await asking(() =>
      Promise.resolve(new Response(null, { status: 502, headers: { "x-palimpsest-build": "b2" } })),
    ),
  ).toMatchObject({ reports: [] });
});
