import { describe, expect, it } from "vitest";
import { authoredRows } from "@/events/history/timeline/authored-rows.fixture";
import type { Ruled } from "@/events/core/envelope";
import { redact } from "@/events/crdt/payload/redaction";
import { row } from "@/events/history/timeline/rows.fixture";
import { standInPlace } from "@/events/crdt/payload/tombstone-payload";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";
import { StoreFault } from "@/events/log/store";
import { LogReader } from "./log-reader";

const whole = {
  streamId: "s",
  streamKind: "document",
  workspaceId: "w",
  position: 1,
  fromPhase: "live",
  schema: 1,
  payloadHash: "",
  hash: "",
  bodyText: "{}",
  salt: "",
} as const;

describe("a page that is open during a redaction", () => {
  it("[REDACT-4] shows what the log holds now", async () => {
    const acts = [
      { who: 0, at: 0, text: "Kept. ", erase: 0, sync: true },
      { who: 1, at: 6, text: "A secret.", erase: 0, sync: true },
    ];
    let log: Ruled[] = authoredRows(acts).map((each) => ({ ...whole, ...each }));
    const reader = new LogReader(
      "s",
      {
        read: async (_, after, max = Infinity) =>
          log.filter(({ version }) => version > after).slice(0, max),
      },
      null,
    );
    const text = () => reader.confirmed.doc.getText("t").toString();
    await reader.read();
    expect(text()).toBe("Kept. A secret.");

    const secret = log[2];
    const tombstone = redact(
      secret?.update ?? null,
      Date.parse(secret?.clientTime ?? ""),
      new Set(["t"]),
    );
    const redaction = {
      ...whole,
      ...row({ version: 4, actorId: "Ana", type: "document.redacted", update: tombstone }, 0),
    };
    const later = {
      ...whole,
      ...row({ version: 5, actorId: "Ana", type: "document.renamed", body: { title: "T" } }, 0),
    };
    log = [
      ...log.map((each) =>
        each.version === 3 ? { ...each, salt: null, update: standInPlace(tombstone) } : each,
      ),
      redaction,
      later,
    ];
    const reading = await reader.read();
    expect(text()).toBe("Kept. ");
    expect([
      reading.refolded,
      reading.rows.map(({ version }) => version),
      reader.confirmed.version,
      reader.confirmed.anomalies,
    ]).toEqual([true, [4, 5], 5, []]);
  });

  it("[REDACT-4] [SYNC-87] goes on after a failed second read, and hands on every row once", async () => {
    const acts = [
      { who: 0, at: 0, text: "Kept. ", erase: 0, sync: true },
      { who: 1, at: 6, text: "A secret.", erase: 0, sync: true },
    ];
    const written: Ruled[] = authoredRows(acts).map((each) => ({ ...whole, ...each }));
    const secret = written[2];
    const time = Date.parse(secret?.clientTime ?? "");
    const tombstone = redact(secret?.update ?? null, time, new Set(["t"]));
    const renamed = (version: number): Ruled => ({
      ...whole,
      ...row({ version, actorId: "Ana", type: "document.renamed", body: { title: "T" } }, 0),
    });
    const log: Ruled[] = [
      ...written.map((each) =>
        each.version === 3 ? { ...each, salt: null, update: standInPlace(tombstone) } : each,
      ),
      renamed(4),
      {
        ...whole,
        ...row({ version: 5, actorId: "Ana", type: "document.redacted", update: tombstone }, 0),
      },
      renamed(6),
    ];
    let known = written;
    let fails = false;
    const taken: number[] = [];
    const reader = new LogReader(
      "s",
      {
        read: async (_, after, max = Infinity) => {
          if (fails && after === 0) throw new StoreFault("down", 503);
          return known.filter(({ version }) => version > after).slice(0, max);
        },
      },
      null,
      undefined,
      {
        page: { take: ({ rows }) => void taken.push(...rows.map(({ version }) => version)) },
        clock: new VirtualClock(),
      },
    );
    await reader.read();
    known = log;
    fails = true;
    await expect(reader.read()).rejects.toThrow("down");
    fails = false;
    await reader.read();
    expect(reader.confirmed.doc.getText("t").toString()).toBe("Kept. ");
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(reader.confirmed.anomalies).toEqual([]);
  });

  it("[REDACT-4] reads the log again once, however many redactions it meets", async () => {
    const acts = ["One. ", "Two. ", "Three."].map((text, at) => ({
      who: at % 2,
      at: at * 5,
      text,
      erase: 0,
      sync: true,
    }));
    const written: Ruled[] = authoredRows(acts).map((each) => ({ ...whole, ...each }));
    const erased = written.map((each) => {
      const tombstone =
        each.update && redact(each.update, Date.parse(each.clientTime), new Set(["t"]));
      return {
        tombstone,
        row: tombstone ? { ...each, salt: null, update: standInPlace(tombstone) } : each,
      };
    });
    const redactions = erased
      .flatMap(({ tombstone }) => tombstone ?? [])
      .map((update, at) => ({
        ...whole,
        ...row(
          { version: written.length + 1 + at, actorId: "Ana", type: "document.redacted", update },
          0,
        ),
      }));
    let log = written;
    const asked: number[] = [];
    const reader = new LogReader(
      "s",
      {
        read: async (_, after, max = Infinity) => (
          asked.push(after),
          log.filter(({ version }) => version > after).slice(0, max)
        ),
      },
      null,
    );
    await reader.read();
    log = [...erased.map((each) => each.row), ...redactions];
    await reader.read();
    expect([
      redactions.length,
      reader.confirmed.doc.getText("t").toString(),
      reader.confirmed.version,
      reader.confirmed.anomalies,
    ]).toEqual([3, "", log.length, []]);
    expect(asked).toEqual([0, written.length, 0]);
  });
});

describe("events that change a whole text", () => {
  it("[SYNC-48] are folded in one turn and shown in another", async () => {
    const clock = new VirtualClock();
    const acts = Array.from({ length: 600 }, (_, at) => ({
      who: at % 2,
      at: 0,
      text: "x",
      erase: 0,
      sync: true,
    }));
    const log: Ruled[] = authoredRows(acts).map((each) => ({ ...whole, ...each }));
    const shown: number[] = [];
    const page = { take: ({ rows }: { rows: Ruled[] }) => void shown.push(rows.length) };
    const store = {
      read: async (_: string, after: number) => log.filter(({ version }) => version > after),
    };
    const reader = new LogReader("s", store, null, undefined, { page, clock });
    const reading = reader.read();
    await new Promise((resolve) => setImmediate(resolve));
    // The rows of one turn are folded, and none is shown before the next turn.
    expect(reader.confirmed.version).toBeGreaterThan(200);
    expect(shown).toEqual([]);
    while (shown.length === 0) await clock.advance(1);
    await reading;
    expect(reader.confirmed.version).toBe(log.length);
    expect(shown).toEqual([log.length]);
  });
});

describe("an older copy that replaces the log during a read", () => {
  const renamed = (version: number, hash = `hash ${version}`): Ruled => ({
    ...whole,
    ...row({ version, actorId: "Ana", type: "document.renamed", body: { title: hash } }, 0),
    id: hash,
    hash,
  });

  /**
   * A reader of a log that can be replaced; `during` runs while the answer to a read is on its way.
   */
  function readerOf(first: Ruled[]) {
    const world = { log: first, during: () => {} };
    const reader = new LogReader(
      "s",
      {
        read: async (_, after, max = Infinity) => {
          const rows = world.log.filter(({ version }) => version > after).slice(0, max);
          world.during();
          return rows;
        },
      },
      null,
    );
    return { world, reader };
  }

  it("[SYNC-19] is noticed when a doubt arises while the old log's answer is in flight", async () => {
    const { world, reader } = readerOf([renamed(1), renamed(2)]);
    await reader.read();
    world.log = [...world.log, renamed(3), renamed(4)];
    world.during = () => reader.doubt();
    await reader.read();
    expect([reader.confirmed.version, reader.inDoubt]).toEqual([4, true]);
    world.during = () => {};
    // The copy has the row at which the doubt was raised, and continues differently after it.
    world.log = [renamed(1), renamed(2), renamed(3, "another 3"), renamed(4, "another 4")];
    const { rows, stateBefore } = await reader.read();
    expect(rows.map(({ id }) => id)).toEqual(["hash 1", "hash 2", "another 3", "another 4"]);
    expect([stateBefore !== null, reader.inDoubt]).toEqual([true, false]);
  });

  it("[SYNC-19] does not settle a doubt that is newer than the read", async () => {
    const { world, reader } = readerOf([renamed(1), renamed(2)]);
    await reader.read();
    reader.doubt();
    world.during = () => reader.doubt();
    await reader.read();
    expect(reader.inDoubt).toBe(true);
    world.during = () => {};
    await reader.read();
    expect(reader.inDoubt).toBe(false);
  });

  it.each([
    ["is shorter", [renamed(1)]],
    ["has another event there", [renamed(1), renamed(2, "another 2"), renamed(3, "another 3")]],
  ])(
    "[SYNC-19] [SYNC-63] is noticed by an acknowledged event that the log never shows, when it %s",
    async (_name, log) => {
      const { world, reader } = readerOf([renamed(1)]);
      await reader.read();
      reader.acknowledged([renamed(2)]);
      expect(reader.unread).toBe(true);
      world.log = log;
      const { stateBefore } = await reader.read();
      expect([stateBefore !== null, reader.unread]).toEqual([true, false]);
      expect(reader.confirmed.version).toBe(log.length);
    },
  );

  it("[SYNC-63] is not assumed for an event acknowledged after the read began", async () => {
    const { world, reader } = readerOf([renamed(1)]);
    world.during = () => {
      world.during = () => {};
      reader.acknowledged([renamed(2)]);
    };
    expect((await reader.read()).stateBefore).toBeNull();
    expect(reader.unread).toBe(true);
    world.log = [renamed(1), renamed(2)];
    expect((await reader.read()).stateBefore).toBeNull();
    expect(reader.unread).toBe(false);
  });
});
