import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import type { MemoryTab } from "@/events/backend/memory-backend.fixture";
import { stallingTab } from "@/events/backend/stalling-tab.fixture";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { memoryOutbox } from "@/events/device/outbox";
import { fromLog, logText, stream, textOf, type } from "@/machines/sync/live-world.fixture";
import type { LiveDocument } from "@/machines/sync/live-document";
import { openDocument } from "@/machines/sync/open-document";
import { status } from "@/machines/sync/sync-status";
import { letters } from "./simulation/ledger";

// `SEED=7` runs one, `SEED=7 ROUNDS=100` a hundred starting there.
const first = Number(process.env.SEED ?? 3_010);
const rounds = Number(process.env.ROUNDS ?? (process.env.SEED ? 1 : 30));
const seeds = Array.from({ length: rounds }, (_, index) => first + index);

type Open = {
  tab: MemoryTab;
  live: LiveDocument;
  clock: ReturnType<typeof stallingTab>["clock"];
  /** The letters typed here. */
  typed: Set<string>;
};

/** Three people with a page each, who keep writing while older copies replace the log. */
class PutBacks {
  readonly clock = new VirtualClock();
  readonly random: ReturnType<typeof seededRandom>;
  readonly backend: MemoryBackend;
  readonly pages: Open[];
  /** The number of restored copies that lacked something. */
  lost = 0;
  private letter = 0x4e00;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    this.backend = new MemoryBackend(this.clock, this.random);
    Object.assign(this.backend.weather, { latency: 40, lateBroadcast: 300, dropBroadcast: 0.1 });
    this.pages = ["ana", "ben", "carol"].map((user) => this.open(user));
  }

  async run(steps: number): Promise<void> {
    await this.clock.advance(1_000);
    // A copy of nothing is a document that never existed; access to it is tested elsewhere.
    this.write(this.pick());
    await this.clock.advance(3_000);
    for (let step = 0; step < steps; step += 1) {
      this.act(this.pick());
      await this.clock.advance(this.random.below(this.random.chance(0.1) ? 4_000 : 250));
    }
  }

  /** Ends all faults, and gives each page time to catch up. */
  async calm(): Promise<void> {
    this.backend.stopped = false;
    Object.assign(this.backend.weather, { lateBroadcast: 0, dropBroadcast: 0, failCall: 0 });
    for (const { tab } of this.pages) tab.setOffline(false);
    await this.clock.advance(90_000);
  }

  private open(user: string): Open {
    const { backend, clock: base, random } = this;
    backend.allow(user, "editor");
    const tab = backend.tab(user, "1");
    const stalling = stallingTab(tab, base, random);
    const live = openDocument({
      documentId: stream,
      userId: user,
      store: stalling.store,
      channels: stalling.channels(),
      outbox: memoryOutbox(),
      clock: stalling.clock,
      random,
      schemaVersion: 1,
    });
    return { tab, live, clock: stalling.clock, typed: new Set() };
  }

  private pick(): Open {
    const page = this.pages[this.random.below(this.pages.length)];
    if (!page) throw new Error("no page is open");
    return page;
  }

  private act(page: Open): void {
    const { random } = this;
    const dice = random.unit();
    if (dice < 0.04) this.putBack();
    else if (dice < 0.08) page.tab.setOffline(!page.tab.offline);
    else if (dice < 0.11) this.backend.cut(page.tab);
    else if (dice < 0.14) page.clock.stall(random.below(8_000));
    else this.write(page);
  }

  private write({ live, typed, clock }: Open): void {
    if (clock.stalled) return;
    const letter = String.fromCharCode(this.letter++);
    typed.add(letter);
    type(live, letter, this.random.below(textOf(live).length + 1));
  }

  /** Stops the server, replaces its log with a copy, and starts it again. */
  private putBack(): void {
    const { backend, random, clock } = this;
    const { length } = backend.log(stream);
    if (backend.stopped || length < 2) return;
    const version = 1 + random.below(length);
    if (version < length) this.lost += 1;
    // A connection breaks some time before the others, or together with the server.
    backend.cut(this.pick().tab);
    clock.after(random.below(60), () => {
      backend.stop();
      clock.after(random.below(2_000), () => {
        backend.putBack(stream, Math.min(version, backend.log(stream).length));
        backend.stopped = false;
      });
    });
  }
}

describe("older copies restored while people write", () => {
  let lost = 0;

  it.each(seeds)(
    "[SYNC-19] leave each page with the log's text, and every letter kept (seed %i)",
    async (seed) => {
      const run = new PutBacks(seed);
      await run.run(120);
      await run.calm();
      lost += run.lost;
      const fold = fromLog(run.backend);
      const text = logText(run.backend);
      // Appends in flight to the lost log may reach the new one, which lacks their dependencies.
      expect(fold.anomalies.filter(({ reason }) => reason !== "gap")).toEqual([]);
      const held = letters(text);
      expect(new Set(held).size, "a letter is there twice").toBe(held.length);
      for (const { live, tab, typed } of run.pages) {
        expect(textOf(live), `${tab.user}'s page`).toBe(text);
        expect(live.version).toBe(fold.version);
        expect(Y.equalSnapshots(Y.snapshot(live.doc), Y.snapshot(fold.doc))).toBe(true);
        const gone = [...typed].filter((letter) => !held.includes(letter));
        const { label } = status(live.sync.getSnapshot());
        if (label === "Saved") expect(gone, `what ${tab.user} typed is gone`).toEqual([]);
        else expect(letters(live.unsavedText())).toEqual(expect.arrayContaining(gone));
      }
    },
  );

  it.runIf(rounds >= 30)("lose something often enough", () => {
    expect(lost).toBeGreaterThan(40);
  });
});
