import { describe, expect, it } from "vitest";
import { MalformedRow, parseRow, toWire } from "@/events/core/envelope";
import { parseRefusal, sentence } from "./refusal";
import { refusalNames } from "./refusal-reasons";
import { StoreFault, supabaseStore } from "./store";

type Call = { name: string; args: Record<string, unknown> };
const row = (version: number, update: string | null = null) => ({
  id: "0",
  stream_id: "s",
  stream_kind: "document",
  workspace_id: "w",
  version,
  position: version,
  type: "document.renamed",
  subject_kind: "document",
  subject_id: "s",
  from_phase: "live",
  to_phase: "live",
  schema: 1,
  actor_id: "a",
  client_ids: null,
  client_time: "t",
  recorded_at: "t",
  payload_hash: "p",
  hash: "h",
  salt: "x",
  body: '{"title":"T"}',
  update,
});

function store(answer: (call: Call) => { data: unknown; error: unknown; status: number }) {
  const calls: Call[] = [];
  // The store uses only a client's `rpc`, and only these three fields of the result.
  const rpc = (name: string, args: Record<string, unknown>) => {
    calls.push({ name, args });
    return Promise.resolve(answer({ name, args }));
  };
  return { calls, store: supabaseStore({ rpc } as never) };
}

describe("the store", () => {
  it("[LOG-32] returns a refusal as a value, and throws any other error", async () => {
    const refused = store(() => ({
      data: null,
      error: { message: "illegal-transition", details: "live does not allow it" },
      status: 422,
    }));
    expect(await refused.store.append("s", 1, [])).toEqual({
      ok: false,
      refusal: { name: "illegal-transition", detail: "live does not allow it" },
    });
    for (const [status, code, retryable] of [
      [0, "", true],
      [401, "PGRST301", false],
      [429, "over_request_rate_limit", true],
      [503, "PGRST000", true],
      [404, "PGRST202", false],
      // A proxy or a captive portal answers in place of the backend.
      [200, undefined, true],
      [401, undefined, true],
      [403, undefined, true],
      [413, undefined, false],
    ] as const) {
      const error = { message: "fetch failed", ...(code !== undefined && { code }) };
      const failed = store(() => ({ data: null, error, status }));
      const fault = await failed.store.append("s", 1, []).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(StoreFault);
      expect(fault).toMatchObject({ status, retryable, foreign: status !== 0 && !code });
    }
  });

  it("[LOG-32] sends bodies as text and updates as base64", async () => {
    const ruling = { id: "e", version: 2, hash: "h", recordedAt: "t", toPhase: "live" };
    const { calls, store: log } = store(() => ({ data: [ruling], error: null, status: 200 }));
    const proposal = {
      id: "e",
      type: "document.edited",
      body: { a: 1 },
      update: Uint8Array.of(1, 2),
      clientIds: [7],
    };
    expect(await log.append("s", null, [proposal])).toEqual({ ok: true, rulings: [ruling] });
    expect(calls[0]).toEqual({
      name: "append_events",
      args: {
        stream: "s",
        expected_version: null,
        events: [
          { id: "e", type: "document.edited", body: '{"a":1}', update: "AQI=", clientIds: [7] },
        ],
      },
    });
  });

  it("[LOG-17] reads on after pages that end early because they are full", async () => {
    const full = btoa("x".repeat(3 * 1024 * 1024));
    const pages = [[row(1, full), row(2, full)], [row(3)]];
    const { calls, store: log } = store(() => ({
      data: pages.shift() ?? [],
      error: null,
      status: 200,
    }));
    expect((await log.read("s", 0)).map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(calls.map(({ args }) => args.after_version)).toEqual([0, 2]);
  });

  it("[LOG-17] reads no more rows than were requested", async () => {
    const { calls, store: log } = store(({ args }) => ({
      data: Array.from({ length: Number(args.max_count) }, (_, n) =>
        row(Number(args.after_position) + n + 1),
      ),
      error: null,
      status: 200,
    }));
    expect(await log.feed("w", 5, 1500)).toHaveLength(1500);
    expect(calls.map(({ args }) => [args.after_position, args.max_count])).toEqual([
      [5, 1000],
      [1005, 500],
    ]);
  });

  it("[LOG-28] returns no topic without access", async () => {
    expect(
      await store(() => ({ data: null, error: null, status: 200 })).store.topic("s"),
    ).toBeNull();
    expect(
      await store(() => ({ data: "document:s:0", error: null, status: 200 })).store.topic("s"),
    ).toBe("document:s:0");
  });
});

describe("a row", () => {
  it("[LOG-32] is read whole or not at all", () => {
    expect(parseRow(row(3, "AQI="))).toMatchObject({
      version: 3,
      body: { title: "T" },
      bodyText: '{"title":"T"}',
      update: Uint8Array.of(1, 2),
      clientIds: [],
    });
    expect(parseRow({ ...row(3), body: null, salt: null })).toMatchObject({
      body: null,
      bodyText: null,
    });
    for (const wrong of [
      null,
      5,
      {},
      { ...row(1), version: "1" },
      { ...row(1), stream_kind: "x" },
      { ...row(1), client_ids: ["a"] },
      { ...row(1), hash: null },
    ])
      expect(() => parseRow(wrong)).toThrow(MalformedRow);
  });

  it("[LOG-79] is proposed without lone surrogates and NUL, at any depth", () => {
    const body = { title: "a\ud83d", parts: [{ b: "\ude00\0c 😀" }], path: "\\ud83d" };
    const clean = { title: "a\ufffd", parts: [{ b: "\ufffdc 😀" }], path: "\\ud83d" };
    expect(toWire({ id: "e", type: "t", body }).body).toBe(JSON.stringify(clean));
  });

  it("[LOG-32] is proposed without absent fields", () => {
    expect(toWire({ id: "e", type: "t", body: null })).toEqual({
      id: "e",
      type: "t",
      body: "null",
    });
  });
});

describe("a refusal", () => {
  it("[LOG-33] has a name and a sentence that states what became of the text", () => {
    const sentences = refusalNames.map((name) => sentence({ name }));
    expect(new Set(sentences).size).toBe(refusalNames.length);
    for (const text of sentences) expect(text).toMatch(/not (applied|changed)|Nothing was changed/);
    expect(parseRefusal({ message: "something else" })).toBeNull();
  });

  it("[LOG-63] has the reason that the database gives, if it belongs to the name", () => {
    const parsed = (message: string, hint: string | null) =>
      parseRefusal({ message, details: "D", hint });
    expect(parsed("not-permitted", "client-id-taken")).toEqual({
      name: "not-permitted",
      reason: "client-id-taken",
      detail: "D",
    });
    expect(parsed("too-large", "document_bytes")?.reason).toBe("document_bytes");
    for (const hint of [null, "", "of a later release", "stale-version", "document_bytes"])
      expect(parsed("not-permitted", hint)).toEqual({ name: "not-permitted", detail: "D" });
    for (const hint of ["small_bytes", "toString"])
      expect(parsed("too-large", hint)).toEqual({ name: "too-large", detail: "D" });
    expect(sentence({ name: "too-large", reason: "thread_comments" })).toContain("This thread");
    expect(sentence({ name: "too-large", reason: "update-too-large" })).toContain("smaller piece");
  });
});
