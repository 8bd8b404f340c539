import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRow } from "@/events/core/envelope";
import type { Ruled } from "@/events/core/envelope";
import { eventHash, payloadHash, verifyChain } from "@/events/log/hash";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let workspace: string;
let document: string;
let rows: Ruled[];

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
  document = await newDocument(db, ana, workspace);
  for (let n = 0; n < 12; n++) {
    const update = Uint8Array.from({ length: 1 + n * 3 }, () => n);
    const edit = {
      type: "document.edited",
      body: {},
      update,
      clientIds: [n, 2 ** 40 + n],
      clientTime: "2026-01-02T03:04:05.678901Z",
    };
    granted(
      await db.append(n % 2 ? ana : ben, document, null, [
        edit,
        { type: "document.renamed", body: { title: `«${n}» 𝄞 é` } },
      ]),
    );
  }
  rows = await db.read(ana, document);
});
afterAll(() => db.stop());

describe("the hash chain", () => {
  it("[LOG-20] is the same in SQL and in TypeScript, for streams of every kind", async () => {
    granted(
      await db.append(ana, ana.id, 0, [
        { type: "account.created", body: {} },
        { type: "account.profile_changed", body: { name: "𝄞na", color: 4 } },
      ]),
    );
    for (const stream of [document, workspace, ana.id]) {
      const read = await db.read(ana, stream);
      expect(read.length).toBeGreaterThan(1);
      const last = read.at(-1);
      expect(await verifyChain(read)).toEqual({
        ok: true,
        head: { version: last?.version, hash: last?.hash },
        redacted: 0,
      });
    }
  });

  it("[LOG-20] covers every column in the database", async () => {
    const columns = await db.sql<{ name: string }[]>`
      select attname as name from pg_attribute where attrelid = 'events'::regclass and attnum > 0 and not attisdropped`;
    const [stored] = await db.as(ana, (t) => t`select read_events(${document}, 3, 1) as rows`);
    const before = rows[2];
    const changed: Record<string, (value: unknown) => unknown> = {
      stream_kind: () => "workspace",
      client_ids: () => [77],
      clientText: (value) => `${String(value)}x`,
    };
    const covered: string[] = [];
    for (const { name } of columns) {
      const row: Record<string, unknown> = { ...(stored?.rows as Record<string, unknown>[])[0] };
      const value = row[name];
      const change = changed[name];
      if (change) row[name] = change(value);
      else if (typeof value === "number") row[name] = value + 1;
      else if (/_at$|_time$/.test(name)) row[name] = "2030-01-01T00:00:00.000000Z";
      else if (/hash$/.test(name)) row[name] = "ab".repeat(32);
      else if (/id$/.test(name)) row[name] = randomUUID();
      else row[name] = `${String(value)}x`;
      const event = parseRow(row);
      if ((await eventHash(before?.hash ?? null, event)) !== event.hash) covered.push(name);
    }
    expect(covered.sort()).toEqual(columns.map(({ name }) => name).sort());
  });

  const mutations: Record<string, (events: Ruled[]) => Ruled[]> = {
    "a bit of an update is flipped": (events) =>
      events.map((event, index) =>
        index === 7 && event.update
          ? { ...event, update: event.update.map((byte, at) => (at === 0 ? byte ^ 1 : byte)) }
          : event,
      ),
    "an update is dropped": (events) =>
      events.map((event, index) => (index === 7 ? { ...event, update: null } : event)),
    "the middle is cut": (events) => events.filter((_, index) => index !== 5),
    "two events are swapped": (events) =>
      events.map((event, index) =>
        index === 4 ? (events[5] ?? event) : index === 5 ? (events[4] ?? event) : event,
      ),
    "an event is repeated": (events) =>
      events.flatMap((event, index) => (index === 6 ? [event, event] : [event])),
    "the author is another": (events) =>
      events.map((event, index) =>
        index === 6 ? { ...event, actorId: ana.id === event.actorId ? ben.id : ana.id } : event,
      ),
    "a title is another": (events) =>
      events.map((event) =>
        event.version === 3 ? { ...event, bodyText: '{"title":"other"}' } : event,
      ),
    "the beginning is missing": (events) => events.slice(1),
  };
  it.each(Object.entries(mutations))("[LOG-21] is broken when %s", async (_name, mutate) => {
    expect(rows[7]?.update).not.toBeNull();
    expect(await verifyChain(mutate(rows))).toMatchObject({ ok: false });
  });

  it("[LOG-21] is broken when a renumbered event of another stream is spliced in", async () => {
    const other = await newDocument(db, ana, workspace);
    granted(
      await db.append(ana, other, null, [{ type: "document.renamed", body: { title: "x" } }]),
    );
    const foreign = (await db.read(ana, other))[1];
    const spliced = rows.map((row, index) =>
      index === 1 && foreign ? { ...foreign, streamId: row.streamId } : row,
    );
    expect(await verifyChain(spliced)).toEqual({ ok: false, version: 2, fault: "chain-broken" });
  });

  it("[LOG-22] shows a cut tail only to a reader who remembers the head", async () => {
    const seen = { version: rows.length, hash: rows.at(-1)?.hash ?? null };
    const cut = rows.slice(0, -2);
    const verified = await verifyChain(cut);
    expect(verified).toMatchObject({ ok: true });
    expect(verified.ok && verified.head.version).toBeLessThan(seen.version);
    granted(
      await db.append(ana, document, null, [
        { type: "document.renamed", body: { title: "later" } },
      ]),
    );
    const later = await db.read(ana, document, seen.version);
    expect(await verifyChain(later, seen)).toMatchObject({ ok: true });
    expect(await verifyChain(later, { ...seen, hash: "ab".repeat(32) })).toMatchObject({
      ok: false,
      fault: "chain-broken",
    });
  });

  it("[LOG-20] matches the vectors in the specification", async () => {
    const text = readFileSync(new URL("./hash-vectors.json", import.meta.url), "utf8");
    const vectors = JSON.parse(text) as {
      payloads: { salt: string; body: string; update: string | null; hash: string }[];
      rows: unknown[];
    };
    for (const { salt, body, update, hash } of vectors.payloads) {
      expect(
        await payloadHash(hexToBytes(salt), body, update === null ? null : hexToBytes(update)),
      ).toBe(hash);
      const [row] = await db.sql`select encode(private.payload_hash(decode(${salt}, 'hex'), ${body},
          decode(${update}, 'hex')), 'hex') as hash`;
      expect(row?.hash).toBe(hash);
    }
    expect(await verifyChain(vectors.rows.map(parseRow))).toMatchObject({ ok: true });
  });

  it("[LOG-20] round-trips hex, and refuses other digits", () => {
    expect(bytesToHex(hexToBytes("00ff10"))).toBe("00ff10");
    expect(() => hexToBytes("0g")).toThrow();
  });
});
