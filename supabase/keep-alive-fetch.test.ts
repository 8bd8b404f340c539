import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAliveFetch } from "./keep-alive-fetch";

let ask: typeof fetch;
let asked: RequestInit[];
let answer: (response: Response) => void;

beforeEach(() => {
  asked = [];
  ask = keepAliveFetch();
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

/** Returns the outcome of a request, which is empty while the request is pending. */
function ending(asking: Promise<Response>) {
  const end = { outcome: "" };
  asking.then(
    () => (end.outcome = "answered"),
    (error: unknown) => (end.outcome = error instanceof Error ? error.name : String(error)),
  );
  return end;
}

test("[SYNC-18] an unanswered request times out, later for a larger body", async () => {
  const small = ending(ask("/rest", { method: "POST", body: "words" }));
  const large = ending(ask("/rest", { method: "POST", body: "x".repeat(400_000) }));
  await vi.advanceTimersByTimeAsync(59_000);
  expect([small.outcome, large.outcome]).toEqual(["", ""]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([small.outcome, large.outcome]).toEqual(["TimeoutError", ""]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(large.outcome).toBe("TimeoutError");
});

test("[SYNC-18] an answer that has begun may take its time", async () => {
  const asking = ask("/rest");
  answer(new Response("…"));
  await vi.advanceTimersByTimeAsync(1);
  expect((await asking).status).toBe(200);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(asked[0]?.signal?.aborted).toBe(false);
});

test("[SYNC-18] a caller can abort a request before and after it starts", async () => {
  const off = new AbortController();
  const meanwhile = ending(ask("/rest", { signal: off.signal }));
  off.abort("left");
  const before = ending(ask("/rest", { signal: off.signal }));
  await vi.advanceTimersByTimeAsync(0);
  expect([meanwhile.outcome, before.outcome]).toEqual(["left", "left"]);
});

test("[SYNC-18] only a small write outlives its page", () => {
  for (const body of ["{}", "x".repeat(20_000), undefined])
    void ask("/rest", body === undefined ? {} : { method: "POST", body }).catch(() => undefined);
  expect(asked.map(({ keepalive }) => keepalive)).toEqual([true, undefined, undefined]);
});

const append = () => ask("/rest/v1/rpc/append_events", { method: "POST", body: "{}" });

test("[SYNC-86] an unanswered call to the log times out after 12 s, and each next one later", async () => {
  for (const seconds of [12, 24, 48, 60, 60]) {
    const beside = ending(ask("/rest/v1/rpc/read_events", { method: "POST", body: "{}" }));
    const appended = ending(append());
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 10);
    expect([appended.outcome, beside.outcome]).toEqual(["", ""]);
    await vi.advanceTimersByTimeAsync(20);
    expect([appended.outcome, beside.outcome]).toEqual(["TimeoutError", "TimeoutError"]);
  }
  const answered = append();
  answer(new Response("[]"));
  expect(await (await answered).text()).toBe("[]");
  const next = ending(append());
  await vi.advanceTimersByTimeAsync(12_010);
  expect(next.outcome).toBe("TimeoutError");
});

test("[SYNC-86] other calls keep their time limit, and a slow answer of the log is read", async () => {
  const other = ending(ask("/rest/v1/rpc/accept_invitation", { method: "POST", body: "{}" }));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(other.outcome).toBe("");

  const parts = new TransformStream<Uint8Array, Uint8Array>();
  const writer = parts.writable.getWriter();
  const asking = append();
  answer(new Response(parts.readable, { status: 201, headers: { "x-kept": "yes" } }));
  const response = await asking;
  expect([response.status, response.headers.get("x-kept")]).toEqual([201, "yes"]);
  const read = response.text();
  for (let part = 0; part < 5; part += 1) {
    await vi.advanceTimersByTimeAsync(11_000);
    await writer.write(new TextEncoder().encode(String(part)));
  }
  await writer.close();
  expect(await read).toBe("01234");
});

test("[SYNC-86] an answer of the log that stalls midway times out", async () => {
  const asking = append();
  answer(
    new Response(
      new ReadableStream({
        start(control) {
          control.enqueue(new TextEncoder().encode("[{"));
          // Like `fetch` with the body of an aborted request.
          asked[0]?.signal?.addEventListener("abort", () =>
            control.error(asked[0]?.signal?.reason),
          );
        },
      }),
    ),
  );
  const read = ending(asking.then((response) => response.text().then(() => response)));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(read.outcome).toBe("");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(read.outcome).toBe("TimeoutError");
});
