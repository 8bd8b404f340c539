import { beforeAll, describe, expect, it } from "vitest";
import { chain, hashed, streamOf, unhashed } from "./chain.fixture";
import type { Ruled } from "@/events/core/envelope";
import { checkHistory, nothingRemembered } from "./verification";
import type { Remembered, Report } from "./verification";

let rows: Ruled[];
let other: Ruled[];
beforeAll(async () => {
  rows = await chain(12);
  other = await chain(12, {
    streamId: streamOf(2),
    subject: { kind: "document", id: streamOf(2) },
  });
});

/** Returns the memory of a browser that has seen these rows. */
function noteHead(seen: readonly Ruled[]): Remembered {
  const hashes = new Map(seen.map(({ version, hash }) => [version, hash]));
  const last = seen.at(-1);
  return {
    head: last ? { version: last.version, hash: last.hash, at: 5 } : null,
    since: 1,
    agrees: (version, hash) => (hashes.has(version) ? hashes.get(version) === hash : null),
  };
}

const redactionOf = ({ type, body }: Ruled) =>
  type === "document.redacted" &&
  body !== null &&
  typeof body === "object" &&
  "event" in body &&
  typeof body.event === "string"
    ? body.event
    : null;

function checked(
  answer: readonly Ruled[],
  remembered = nothingRemembered,
  shown?: { add(row: Ruled): void; differs: boolean | null },
): Promise<Report> {
  return checkHistory({
    stream: streamOf(1),
    source: { read: async (_stream, after, max = Infinity) => answer.slice(after, after + max) },
    remembered,
    ...(shown && { shown }),
    redactionOf,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

const at = (version: number, change: (row: Ruled) => Ruled) =>
  rows.map((row) => (row.version === version ? change(row) : row));
const flipped = (hex: string) => `${hex.startsWith("0") ? "1" : "0"}${hex.slice(1)}`;

describe("an intact history", () => {
  it("[VERIFY-1] reports its head and how much of it was seen before", async () => {
    const head = { version: 12, hash: rows.at(-1)?.hash };
    expect(await checked(rows)).toEqual({ verdict: "intact", head, redacted: [], seenBefore: 0 });
    expect(await checked(rows, noteHead(rows.slice(0, 9)))).toEqual({
      verdict: "intact",
      head,
      redacted: [],
      seenBefore: 9,
    });
    expect(await checked([])).toMatchObject({
      verdict: "intact",
      head: { version: 0, hash: null },
    });
  });

  it(
    "[VERIFY-9] is not reported as such if another text was shown, which is compared with sound " +
      "events alone",
    async () => {
      const folded: number[] = [];
      const shown = (differs: boolean | null) => ({
        add: ({ version }: Ruled) => void folded.push(version),
        differs,
      });
      expect(await checked(rows, nothingRemembered, shown(true))).toEqual({
        verdict: "other-text",
        head: { version: 12, hash: rows.at(-1)?.hash },
      });
      expect(folded).toEqual(rows.map(({ version }) => version));
      for (const fine of [false, null])
        expect(await checked(rows, nothingRemembered, shown(fine))).toMatchObject({
          verdict: "intact",
        });
      folded.length = 0;
      expect(
        await checked(
          at(5, (row) => ({ ...row, hash: flipped(row.hash) })),
          nothingRemembered,
          shown(true),
        ),
      ).toMatchObject({ verdict: "damaged", version: 5 });
      expect(folded).toEqual([]);
    },
  );

  const tombstone = (mark: number) => new Uint8Array([0, 0, mark, 0, 0]);
  const bare = (row: Ruled): Ruled => ({ ...row, salt: null, update: tombstone(5) });
  const redaction = (event = "", update = tombstone(4)) =>
    unhashed(13, {
      type: "document.redacted",
      bodyText: JSON.stringify({ event, reason: "" }),
      update,
    });

  it("[VERIFY-6] counts a payload that a recorded redaction removed, and proves its tombstone", async () => {
    const redacted = await hashed([...at(5, bare), redaction(rows[4]?.id)]);
    expect(await checked(redacted)).toMatchObject({ verdict: "intact", redacted: [5] });
    const words = { bodyText: '{"text":"forged"}', body: { text: "forged" } };
    for (const other of [
      { update: tombstone(4) },
      { update: new Uint8Array([0, 0, 5, 1, 0]) },
      { update: null },
      words,
    ]) {
      const forged = redacted.map((row) => (row.version === 5 ? { ...row, ...other } : row));
      expect(await checked(forged)).toEqual({
        verdict: "damaged",
        version: 5,
        fault: "redaction-differs",
      });
    }
  });

  it("[VERIFY-6] is damaged if no later redaction explains a missing payload", async () => {
    expect(await checked(at(5, bare))).toEqual({
      verdict: "damaged",
      version: 5,
      fault: "content-missing",
    });
    expect(await checked(await hashed([...at(5, bare), redaction(rows[5]?.id)]))).toMatchObject({
      version: 5,
      fault: "content-missing",
    });
    const early = await hashed(
      at(5, bare).map((row) =>
        row.version === 3 ? { ...redaction(rows[4]?.id), version: 3 } : row,
      ),
    );
    expect(await checked(early)).toMatchObject({ version: 5, fault: "content-missing" });
  });

  it("[VERIFY-7] reports its progress, and stops when the check is aborted", async () => {
    const control = new AbortController();
    const progress: number[] = [];
    const running = checkHistory({
      stream: streamOf(1),
      source: { read: async (_stream, after) => (after === 0 ? chain(600) : []) },
      redactionOf,
      signal: control.signal,
      onProgress(version) {
        progress.push(version);
        if (version >= 512) control.abort();
      },
    });
    await expect(running).rejects.toThrow(/abort/i);
    expect(progress).toEqual([256, 512]);
  });
});

describe("a history that was tampered with", () => {
  const columns: [string, (row: Ruled) => Partial<Ruled>][] = [
    ["id", () => ({ id: unhashed(99).id })],
    ["stream_kind", () => ({ streamKind: "workspace" })],
    ["workspace_id", () => ({ workspaceId: null })],
    ["position", ({ position }) => ({ position: (position ?? 0) ^ 1 })],
    ["type", () => ({ type: "document.editee" })],
    ["subject_kind", () => ({ subject: { kind: "documens", id: streamOf(1) } })],
    ["subject_id", () => ({ subject: { kind: "document", id: streamOf(3) } })],
    ["from_phase", () => ({ fromPhase: "livd" })],
    ["to_phase", () => ({ toPhase: "livd" })],
    ["schema", () => ({ schema: 0 })],
    ["actor_id", () => ({ actorId: unhashed(1, {}).actorId.replace("a", "b") })],
    ["client_ids", () => ({ clientIds: [8] })],
    ["client_time", ({ clientTime }) => ({ clientTime: clientTime.replace("2026", "2027") })],
    ["recorded_at", ({ recordedAt }) => ({ recordedAt: recordedAt.replace("250001Z", "250000Z") })],
    ["hash", ({ hash }) => ({ hash: flipped(hash) })],
    ["an invalid time", () => ({ recordedAt: "yesterday" })],
    ["a hash that is not hexadecimal", () => ({ hash: "g".repeat(64) })],
  ];
  it.each(columns)(
    "[VERIFY-2] is damaged at the event whose %s was changed",
    async (_column, change) => {
      expect(await checked(at(6, (row) => ({ ...row, ...change(row) })))).toEqual({
        verdict: "damaged",
        version: 6,
        fault: "chain-broken",
      });
    },
  );

  const contents: [string, (row: Ruled) => Partial<Ruled>][] = [
    ["salt", ({ salt }) => ({ salt: flipped(salt ?? "") })],
    ["body", () => ({ bodyText: "{ }" })],
    ["update", () => ({ update: new Uint8Array([1, 2, 7]) })],
    ["update, which is gone", () => ({ update: null })],
    ["payload_hash", ({ payloadHash }) => ({ payloadHash: flipped(payloadHash) })],
  ];
  it.each(contents)(
    "[VERIFY-2] has other content at the event whose %s was changed",
    async (_column, change) => {
      expect(await checked(at(6, (row) => ({ ...row, ...change(row) })))).toEqual({
        verdict: "damaged",
        version: 6,
        fault: "content-differs",
      });
    },
  );

  it("[VERIFY-2] has other content where it holds the payload of another event", async () => {
    const { salt = null, bodyText = null, update = null } = rows[7] ?? {};
    expect(await checked(at(6, (row) => ({ ...row, salt, bodyText, update })))).toMatchObject({
      version: 6,
      fault: "content-differs",
    });
  });

  it("[VERIFY-3] is damaged where an event was cut from its middle or its beginning", async () => {
    expect(await checked(rows.filter(({ version }) => version !== 6))).toEqual({
      verdict: "damaged",
      version: 6,
      fault: "missing-event",
    });
    expect(await checked(rows.slice(1))).toEqual({
      verdict: "damaged",
      version: 1,
      fault: "missing-event",
    });
    const renumbered = rows
      .filter(({ version }) => version !== 6)
      .map((row, index) => ({ ...row, version: index + 1 }));
    expect(await checked(renumbered)).toEqual({
      verdict: "damaged",
      version: 6,
      fault: "chain-broken",
    });
  });

  it(
    "[VERIFY-3] is damaged at the first of two swapped events, and at the second copy of a " +
      "repeated one",
    async () => {
      const [first, second] = [rows[5], rows[6]];
      if (!first || !second) throw new Error("the fixture is too short");
      expect(
        await checked(rows.map((row) => (row === first ? second : row === second ? first : row))),
      ).toMatchObject({ version: 6, fault: "missing-event" });
      const renumbered = rows.map((row) =>
        row === first ? { ...second, version: 6 } : row === second ? { ...first, version: 7 } : row,
      );
      expect(await checked(renumbered)).toMatchObject({ version: 6, fault: "chain-broken" });
      expect(
        await checked(rows.flatMap((row) => (row === first ? [row, row] : [row]))),
      ).toMatchObject({ version: 7, fault: "missing-event" });
    },
  );

  it(
    "[VERIFY-3] is damaged at an event of another document, even if it claims to belong to this " +
      "one",
    async () => {
      const foreign = other[5];
      if (!foreign) throw new Error("the fixture is too short");
      expect(await checked(at(6, () => foreign))).toEqual({
        verdict: "damaged",
        version: 6,
        fault: "other-stream",
      });
      const renamed = {
        ...foreign,
        streamId: streamOf(1),
        subject: { kind: "document", id: streamOf(1) },
      };
      expect(await checked(at(6, () => renamed))).toEqual({
        verdict: "damaged",
        version: 6,
        fault: "chain-broken",
      });
    },
  );

  it("[VERIFY-4] is intact after a cut at its end, and too short for a reader who has seen more", async () => {
    expect(await checked(rows.slice(0, 9))).toMatchObject({ verdict: "intact" });
    expect(await checked(rows.slice(0, 9), noteHead(rows))).toMatchObject({
      verdict: "shortened",
      version: 10,
      seen: { version: 12 },
    });
    expect(await checked([], noteHead(rows))).toMatchObject({ verdict: "shortened", version: 1 });
  });

  it("[VERIFY-5] is intact with new hashes, and rewritten for a reader who has seen the old ones", async () => {
    const rewritten = await hashed(
      at(6, (row) => ({ ...row, update: new Uint8Array([1, 2, 77]) })),
    );
    expect(await checked(rewritten)).toMatchObject({ verdict: "intact" });
    expect(await checked(rewritten, noteHead(rows))).toMatchObject({
      verdict: "rewritten",
      version: 6,
      agreed: 5,
    });
    const sparse = noteHead(rows.filter(({ version }) => version === 3 || version === 10));
    expect(await checked(rewritten, sparse)).toMatchObject({
      verdict: "rewritten",
      version: 10,
      agreed: 3,
    });
  });

  it("[VERIFY-5] is rewritten from where it went on differently after a backup was restored", async () => {
    const forked = await hashed([
      ...rows.slice(0, 8),
      ...[9, 10, 11, 12, 13].map((version) => unhashed(version, { update: new Uint8Array([5]) })),
    ]);
    expect(await checked(forked, noteHead(rows))).toMatchObject({
      verdict: "rewritten",
      version: 9,
      agreed: 8,
      seen: { version: 12 },
    });
  });
});
