import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAliveFetch } from "./keep-alive-fetch";

let asked: RequestInit[];
let answer: (response: Response) => void;

beforeEach(() => {
  asked = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (_input: unknown, init: RequestInit) => {
    asked.push(init);
    return new Promise<Response>((settle, reject) => {
      answer = settle;
      const fail = () => reject(init.signal?.reason);
      if (init.signal?.aborted) fail();
      init.signal?.addEventListener("abort", fail);
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** How a request ended, if it has. */
function ending(asking: Promise<Response>) {
  const end = { outcome: "" };
  asking.then(
    () => (end.outcome = "answered"),
    (error: unknown) => (end.outcome = error instanceof Error ? error.name : String(error)),
  );
  return end;
}

test("[SYNC-18] a request that nobody answers is given up, later the more there is to be sent", async () => {
  const small = ending(keepAliveFetch("/rest", { method: "POST", body: "words" }));
  const large = ending(keepAliveFetch("/rest", { method: "POST", body: "x".repeat(400_000) }));
  await vi.advanceTimersByTimeAsync(59_000);
  expect([small.outcome, large.outcome]).toEqual(["", ""]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([small.outcome, large.outcome]).toEqual(["TimeoutError", ""]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(large.outcome).toBe("TimeoutError");
});

test("[SYNC-18] what has begun to be answered may take its time", async () => {
  const asking = keepAliveFetch("/rest");
  answer(new Response("…"));
  await vi.advanceTimersByTimeAsync(1);
  expect((await asking).status).toBe(200);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(asked[0]?.signal?.aborted).toBe(false);
});

test("[SYNC-18] whoever asked may call it off, before and meanwhile", async () => {
  const off = new AbortController();
  const meanwhile = ending(keepAliveFetch("/rest", { signal: off.signal }));
  off.abort("left");
  const before = ending(keepAliveFetch("/rest", { signal: off.signal }));
  await vi.advanceTimersByTimeAsync(0);
  expect([meanwhile.outcome, before.outcome]).toEqual(["left", "left"]);
});

test("[SYNC-18] a small write outlives its page, and nothing else does", () => {
  for (const body of ["{}", "x".repeat(20_000), undefined])
    void keepAliveFetch("/rest", body === undefined ? {} : { method: "POST", body }).catch(
      () => undefined,
    );
  expect(asked.map(({ keepalive }) => keepalive)).toEqual([true, undefined, undefined]);
});
