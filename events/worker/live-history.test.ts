import { afterEach, expect, it } from "vitest";
import * as Y from "yjs";
import { VirtualClock } from "@/events/core/virtual-clock.fixture";
import { pageAt } from "@/events/history/timeline/document-text";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { StoreFault } from "@/events/log/store";
import { BackgroundLost } from "./remote-jobs";
import { deriverHere } from "./deriver";
import type { Deriver } from "./deriver";
import { liveHistory } from "./live-history";
import type { LiveHistory } from "./live-history";

function letters(length: number): TimelineRow[] {
  const doc = new Y.Doc();
  const edits: AuthoredEdit[] = [];
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, time: edits.length * 100, actorId: "Ana" }),
  );
  const [paragraph, words] = [new Y.XmlElement("paragraph"), new Y.XmlText()];
  paragraph.insert(0, [words]);
  doc.getXmlFragment("default").insert(0, [paragraph]);
  for (let at = 0; at < length - 2; at += 1) words.insert(at, String.fromCharCode(97 + (at % 26)));
  return stream(
    "Letters",
    edits.map((edit) => [edit]),
  );
}

const all = letters(2_400);
let opened: LiveHistory | null = null;
afterEach(() => opened?.close());

/** A log at some version that counts the rows requested from it. */
class Log {
  rows: TimelineRow[] = [];
  read = 0;
  failing = false;
  readonly seen: Timeline[] = [];
  failures = 0;
  derivers = 0;
  readonly clock = new VirtualClock();
  private readonly delay: number;

  constructor(version: number, delay = 0) {
    this.rows = all.slice(0, version);
    this.delay = delay;
  }

  open(derive: () => Deriver = deriverHere): LiveHistory {
    opened = liveHistory({
      source: {
        read: async (_stream, after, max = 1_000) => {
          await this.clock.wait(this.delay);
          if (this.failing) throw new StoreFault("gone", 0);
          const page = this.rows.filter(({ version }) => version > after).slice(0, max);
          this.read += page.length;
          return page;
        },
      },
      documentId: "d",
      clock: this.clock,
      derive: () => {
        this.derivers += 1;
        return derive();
      },
      onTimeline: (timeline) => this.seen.push(timeline),
      onFailed: () => (this.failures += 1),
    });
    return opened;
  }

  grow(to: number): void {
    this.rows = all.slice(0, to);
    opened?.heard(to);
  }

  get last(): Timeline | undefined {
    return this.seen.at(-1);
  }
}

it("[UNDERSTAND-19] a live history is read to its end once, however much is recorded meanwhile", async () => {
  const log = new Log(2_000, 3_000);
  log.open();
  for (let version = 2_001; log.seen.length === 0; version += 1) {
    expect(version).toBeLessThan(2_020);
    log.grow(version);
    await log.clock.advance(1_000);
  }
  expect([log.derivers, log.read]).toEqual([1, log.last?.version]);
});

it("[UNDERSTAND-19] a live history grows by the new rows alone, even during steady writing", async () => {
  const log = new Log(2_000);
  log.open();
  await log.clock.until(() => log.seen.length === 1);
  for (let version = 2_001; version <= 2_100; version += 1) {
    log.grow(version);
    await log.clock.advance(1_000);
  }
  // A person wrote for a hundred seconds. The displayed history never lagged far behind.
  expect(log.last?.version ?? 0).toBeGreaterThan(2_080);
  await log.clock.until(() => log.last?.version === 2_100);
  expect([log.derivers, log.read]).toEqual([1, 2_100]);
  expect(log.seen.length).toBeLessThan(15);
  expect(log.last?.data).toEqual(openTimeline(all.slice(0, 2_100)).data);
});

it("[UNDERSTAND-19] a live history continues after a fault without reading rows twice", async () => {
  const log = new Log(50);
  log.open();
  await log.clock.until(() => log.seen.length === 1);
  log.failing = true;
  log.grow(60);
  await log.clock.advance(5_000);
  log.failing = false;
  await log.clock.until(() => log.last?.version === 60);
  expect([log.read, log.failures]).toEqual([60, 0]);
});

it("[UNDERSTAND-19] a live history is derived again after a redaction, or if its deriver is lost", async () => {
  const log = new Log(50);
  let lost = false;
  log.open(() => {
    const own = deriverHere();
    if (log.derivers > 1) return own;
    const rows = (next: readonly TimelineRow[]) =>
      lost ? Promise.reject(new BackgroundLost("gone")) : own.rows(next);
    return { ...own, rows };
  });
  await log.clock.until(() => log.seen.length === 1);
  lost = true;
  log.grow(60);
  await log.clock.until(() => log.last?.version === 60);
  expect(log.derivers).toBe(2);
  // A redaction removed words from the log, and its row is the newest.
  log.rows = log.rows
    .map((each): TimelineRow => (each.version === 40 ? { ...each, update: null } : each))
    .concat(row({ version: 61, actorId: "Ana", type: "document.redacted" }, 10 ** 6));
  opened?.heard(61);
  await log.clock.until(() => log.last?.version === 61);
  const timeline = log.last;
  if (!timeline) throw new Error("nothing was read");
  const plain = openTimeline(log.rows);
  expect(pageAt(timeline, timeline.length - 1)).toEqual(pageAt(plain, plain.length - 1));
});

it("[UNDERSTAND-19] a live history reports that it could not be read, and is read on a retry", async () => {
  const log = new Log(50);
  log.failing = true;
  log.open();
  await log.clock.until(() => log.failures === 1);
  log.failing = false;
  opened?.retry();
  await log.clock.until(() => log.last?.version === 50);
});
