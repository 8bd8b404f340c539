import { randomUUID } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { limits } from "@/events/core/limits";
import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { loadOf } from "@/events/crdt/payload/payload-load";
import { bringTombstone } from "@/events/crdt/payload/tombstone-payload";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";
import { declared, edit, refusedLimit } from "@/tests/support/database/limited-appends";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
});
beforeEach(async () => {
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
});
afterAll(() => db.stop());

function updateOf(change: (text: Y.Text) => void, before?: Y.Doc): Uint8Array {
  const doc = before ?? new Y.Doc();
  const made: Uint8Array[] = [];
  const collect = (update: Uint8Array) => void made.push(update);
  doc.on("update", collect);
  doc.transact(() => change(doc.getText("t")));
  doc.off("update", collect);
  return made[0] ?? Uint8Array.of(0, 0);
}

/**
 * Creates eight megabytes in about eight kilobytes, as older releases wrote payloads, which did not
 * declare their load.
 */
function bomb(bytes = 7_500_000): Uint8Array {
  const body = Buffer.concat([Buffer.from([8]), updateBlock(bytes)]);
  return Uint8Array.from([0, 0, 2, ...deflateRawSync(body, { level: 9 })]);
}

function updateBlock(bytes: number): Buffer {
  const update = updateOf((text) => text.insert(0, "a".repeat(bytes)));
  const head: number[] = [];
  for (let rest = update.length; ; rest = Math.floor(rest / 128)) {
    head.push(rest >= 128 ? (rest % 128) | 0x80 : rest);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from(head), update]);
}

const holds = async () =>
  (
    await db.sql`select bytes::int, pieces::int, history::int, stopped_at::int from private.streams
      where id = ${document}`
  )[0];
const setLoad = (column: "bytes" | "pieces" | "history", to: number) =>
  db.sql`update private.streams set ${db.sql({ [column]: to })} where id = ${document}`;

describe("the size of a document", () => {
  it("[LOG-50] has the same limits in the database and in the code", async () => {
    const rows = await db.sql<
      { name: string; most: string }[]
    >`select name, most from private.limits`;
    expect(Object.fromEntries(rows.map(({ name, most }) => [name, Number(most)]))).toEqual(limits);
  });

  it("[LOG-51] a payload costs the same in the database and in the code", async () => {
    const doc = new Y.Doc();
    const typed = updateOf(
      (text) => text.insert(0, "Every newspaper gets things wrong. ".repeat(40)),
      doc,
    );
    const erased = updateOf((text) => text.delete(0, 20), doc);
    const structured = Array.from({ length: 80 }, (_, index) => ({
      update: updateOf((text) => text.insert(0, index % 2 ? "x" : "yy"), doc),
      time: index,
    }));
    const samples = [
      typed,
      erased,
      bomb(),
      declared(5, 0),
      declared(8_388_608, 4_000_000_000),
      Uint8Array.of(0, 0, 7, 1),
      Uint8Array.of(0, 0),
      Uint8Array.of(0, 0, 9, 1),
      Uint8Array.of(0),
      encodeEdits([{ update: typed, time: 0 }]),
      encodeEdits([
        { update: erased, time: 0 },
        { update: erased, time: 40 },
      ]),
      encodeEdits(structured),
      encodeEdits([
        { update: typed, time: 0 },
        { update: erased, time: 40 },
      ]),
      copyInPayload({ source: randomUUID(), payload: encodeEdits(structured) }),
      copyInPayload({ source: randomUUID(), payload: typed }),
      bringTombstone(encodeEdits(structured)),
    ];
    for (const sample of samples) {
      const [row] =
        await db.sql`select bytes::float8, pieces::float8, cuts from private.load_of(${Buffer.from(sample)})`;
      expect(row).toEqual(loadOf(sample));
    }
  });

  it("[LOG-52] counts at least what a document holds, and refuses what would exceed it", async () => {
    let taken = 0;
    for (let at = 0; at < 40; at += 1) {
      const answer = await db.append(ana, document, null, [edit(bomb())]);
      if (answer.ok) taken += 1;
      else expect(refusedLimit(answer)).toBe("document_bytes");
    }
    expect(taken).toBe(Math.floor(limits.document_bytes / loadOf(bomb()).bytes));
    expect(taken * 7_500_000).toBeLessThan(limits.document_bytes);
  });

  it.each([
    ["bytes", "document_bytes"],
    ["pieces", "document_pieces"],
    ["history", "document_history"],
  ] as const)("[LOG-52] fills the last of its %s, and refuses more", async (column, limit) => {
    const size = 10_000;
    const more = edit(declared(size, size));
    for (const [over, expected] of [
      [-1, null],
      [0, null],
      [1, limit],
    ] as const) {
      await setLoad(column, limits[limit] - size + over);
      expect(refusedLimit(await db.append(ana, document, null, [more]))).toBe(expected);
      const end = limits[limit] + over - (expected === null ? 0 : size);
      expect(await holds()).toMatchObject({ [column]: end });
    }
  });

  it("[LOG-53] accepts deletions, however full a document is", async () => {
    await setLoad("bytes", limits.document_bytes);
    await setLoad("pieces", limits.document_pieces);
    const doc = new Y.Doc();
    updateOf((text) => text.insert(0, "words"), doc);
    const erased = updateOf((text) => text.delete(1, 2), doc);
    const again = updateOf((text) => text.delete(1, 1), doc);
    expect(
      refusedLimit(
        await db.append(ana, document, null, [
          edit(updateOf((text) => text.insert(0, "x".repeat(5_000)))),
        ]),
      ),
    ).toBe("document_bytes");
    expect(refusedLimit(await db.append(ana, document, null, [edit(erased)]))).toBeNull();
    expect(
      refusedLimit(
        await db.append(ana, document, null, [
          edit(
            encodeEdits([
              { update: erased, time: 0 },
              { update: again, time: 30 },
            ]),
          ),
        ]),
      ),
    ).toBeNull();
  });

  it.each([
    ["bytes", "document_bytes", "reserve_bytes"],
    ["pieces", "document_pieces", "reserve_pieces"],
  ] as const)(
    "[LOG-53] accepts small edits into a reserve of %s until it is full, and no large ones",
    async (column, limit, reserve) => {
      const small = () =>
        db.append(ana, document, null, [edit(declared(limits.small_bytes, limits.small_pieces))]);
      const size = limits[`small_${column}`];
      const end = limits[limit] + limits[reserve];
      await setLoad(column, end - size);
      expect(
        refusedLimit(
          await db.append(ana, document, null, [
            edit(declared(limits.small_bytes + 1, limits.small_pieces)),
          ]),
        ),
      ).toBe(limit);
      for (const [over, expected] of [
        [-1, null],
        [0, null],
        [1, limit],
      ] as const) {
        await setLoad(column, end - size + over);
        expect(refusedLimit(await small())).toBe(expected);
        const held = end + over - (expected === null ? 0 : size);
        expect(await holds()).toMatchObject({ [column]: held });
      }
    },
  );

  it("[LOG-54] makes room again once the service has measured the rest", async () => {
    const version =
      granted(await db.append(ana, document, null, [edit(declared(10, 10))])).rulings[0]?.version ??
      0;
    granted(await db.append(ana, document, null, [edit(declared(7, 3))]));
    await setLoad("bytes", limits.document_bytes * 2);
    expect(refusedLimit(await db.append(ana, document, null, [edit(declared(10, 10))]))).toBe(
      "document_bytes",
    );
    await db.sql`select write_load(${document}, ${version}, 100, 20)`;
    expect(await holds()).toMatchObject({ bytes: 107, pieces: 23 });
    expect(refusedLimit(await db.append(ana, document, null, [edit(declared(10, 10))]))).toBeNull();
  });

  it("[LOG-54] is marked for measuring after a deletion from a full document", async () => {
    const doc = new Y.Doc();
    updateOf((text) => text.insert(0, "words"), doc);
    const marked = () =>
      db.sql`select 1 from private.upkeep where stream_id = ${document}`.then(
        (rows) => rows.length,
      );
    await db.sql`delete from private.upkeep where stream_id = ${document}`;
    expect(
      refusedLimit(
        await db.append(ana, document, null, [edit(updateOf((text) => text.delete(1, 2), doc))]),
      ),
    ).toBeNull();
    expect(await marked()).toBe(0);
    await setLoad("bytes", limits.document_bytes + 1);
    expect(
      refusedLimit(
        await db.append(ana, document, null, [edit(updateOf((text) => text.delete(1, 1), doc))]),
      ),
    ).toBeNull();
    expect(await marked()).toBe(1);
  });

  it("[LOG-54] cannot grow while a fold is stopped, until the document is measured", async () => {
    await db.sql`select write_load(${document}, 1, 100, 20, true)`;
    expect(refusedLimit(await db.append(ana, document, null, [edit(declared(10, 10))]))).toBe(
      "document_bytes",
    );
    expect(await db.as(ana, (t) => t`select read_load(${document}) as load`)).toEqual([
      { load: { bytes: 100, pieces: 20, measuredAt: 1, stoppedAt: 1 } },
    ]);
    await db.sql`select write_load(${document}, 1, 100, 20)`;
    expect(refusedLimit(await db.append(ana, document, null, [edit(declared(10, 10))]))).toBeNull();
  });

  it("[LOG-54] is measured by the service alone, and hidden from strangers", async () => {
    const mallory = db.newUser("Mallory");
    await expect(db.as(ana, (t) => t`select write_load(${document}, 1, 0, 0)`)).rejects.toThrow(
      /permission denied/,
    );
    expect(await db.as(mallory, (t) => t`select read_load(${document}) as load`)).toEqual([
      { load: null },
    ]);
  });
});
