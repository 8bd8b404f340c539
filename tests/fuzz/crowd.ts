import * as Y from "yjs";
import { expect } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { insertedText } from "@/events/crdt/updates/inserted-text";
import {
  MemoryBackend,
  type MemoryTab,
  type Weather,
} from "@/events/backend/memory-backend.fixture";
import { memoryOutbox, type Outbox, type OutboxBox } from "@/events/device/outbox";
import { stallingTab } from "@/events/backend/stalling-tab.fixture";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { type LiveDocument } from "@/machines/sync/live-document";
import { openDocument } from "@/machines/sync/open-document";

const stream = "00000000-0000-4000-8000-00000000f022";
const users = ["ana", "ben", "carol", "dave"];
/** Weather in which messages are lost, late or come twice, and calls fail. */
export const storm = {
  dropBroadcast: 0.2,
  duplicateBroadcast: 0.1,
  lateBroadcast: 400,
  latency: 25,
  failCall: 0.05,
  loseAnswer: 0.05,
};

/** What people and their pages do besides writing; probabilities of each step. */
type Chaos = {
  offline: number;
  rights: number;
  crash: number;
  open: number;
  stall: number;
  slow: number;
  leave: number;
};
/** Connections are cut, rights are taken and tabs crash; pages stand still and appends are slow as well. */
export const upheaval: Chaos = {
  offline: 0.06,
  rights: 0.02,
  crash: 0.02,
  open: 0.02,
  stall: 0.02,
  slow: 0.02,
  leave: 0.01,
};
/** Nobody leaves, and nothing of anybody's is lost: pages only stand still, and appends are long on their way. */
export const sluggishness: Chaos = {
  offline: 0,
  rights: 0,
  crash: 0,
  open: 0,
  stall: 0.05,
  slow: 0.05,
  leave: 0,
};

type Tab = {
  user: string;
  backendTab: MemoryTab;
  live: LiveDocument;
  box: () => OutboxBox | null;
  page: ReturnType<typeof stallingTab>;
};

/** A run of many people on one document in bad weather; every letter that is ever typed is a different one. */
export class Session {
  readonly clock = new VirtualClock();
  readonly random: ReturnType<typeof seededRandom>;
  readonly backend: MemoryBackend;
  readonly authors = new Map<string, string>();
  readonly erased = new Set<string>();
  readonly happened = {
    typed: 0,
    erased: 0,
    crashed: 0,
    offline: 0,
    replaced: 0,
    downgraded: 0,
    stalled: 0,
    slow: 0,
    left: 0,
    held: 0,
  };
  tabs: Tab[] = [];
  private readonly outboxes = new Map(users.map((user) => [user, memoryOutbox()]));
  private letter = 0x4e00;
  private opened = 0;

  private readonly chaos: Chaos;

  constructor(seed: number, chaos: Chaos) {
    this.chaos = chaos;
    this.random = seededRandom(seed);
    this.backend = new MemoryBackend(this.clock, this.random);
    for (const user of users) this.backend.allow(user, "editor");
  }

  open(user: string): Tab {
    this.opened += 1;
    const backendTab = this.backend.tab(user, String(this.opened));
    const shared = this.outboxes.get(user) ?? memoryOutbox();
    let box: OutboxBox | null = null;
    const outbox: Outbox = { ...shared, open: async (scope) => (box = await shared.open(scope)) };
    const page = stallingTab(backendTab, this.clock, this.random);
    const live = openDocument({
      documentId: stream,
      userId: user,
      store: page.store,
      channels: page.channels(),
      outbox,
      clock: page.clock,
      random: this.random,
      schemaVersion: 1,
    });
    live.onReplaced(() => (this.happened.replaced += 1));
    live.sync.subscribe(({ value }) => {
      if (typeof value.outbox === "object" && value.outbox.waiting === "held")
        this.happened.held += 1;
    });
    const tab = { user, backendTab, live, box: () => box, page };
    this.tabs.push(tab);
    return tab;
  }

  async step(): Promise<void> {
    const { random } = this;
    const tab = this.tabs[random.below(this.tabs.length)];
    if (!tab) return;
    // Nobody writes into a page that stands still.
    if (!tab.page.clock.stalled) await this.act(tab);
    await this.clock.advance(random.below(random.chance(0.05) ? 9_000 : 300));
  }

  private async act(tab: Tab): Promise<void> {
    const { random, chaos } = this;
    let dice = random.unit();
    const falls = (probability: number) => (dice -= probability) < 0;
    if (falls(chaos.offline)) {
      tab.backendTab.setOffline(!tab.backendTab.offline);
      if (tab.backendTab.offline) this.happened.offline += 1;
    } else if (falls(chaos.rights)) this.toggleRight(tab.user);
    else if (falls(chaos.crash)) await this.crash(tab);
    else if (falls(chaos.open)) {
      if (this.tabs.length < 7) this.open(users[random.below(users.length)] ?? "ana");
    } else if (falls(chaos.stall)) {
      tab.page.clock.stall(1_000 + random.below(19_000));
      this.happened.stalled += 1;
    } else if (falls(chaos.slow)) {
      tab.page.state.appendDelay = random.chance(0.5) ? 0 : 2_000 + random.below(16_000);
      this.happened.slow += 1;
    } else if (falls(chaos.leave)) this.leave(tab);
    else if (random.chance(0.8)) this.type(tab);
    else if (random.chance(0.7)) this.erase(tab);
    else this.format(tab);
  }

  async calm(): Promise<void> {
    Object.assign(this.backend.weather, {
      dropBroadcast: 0,
      duplicateBroadcast: 0,
      lateBroadcast: 0,
      failCall: 0,
      loseAnswer: 0,
    });
    for (const user of users) this.backend.allow(user, "editor");
    for (const tab of this.tabs) {
      tab.backendTab.setOffline(false);
      tab.page.state.appendDelay = 0;
    }
    // Whoever has no tab any more comes back, so that what a crashed one left is sent.
    for (const user of users) if (!this.tabs.some((tab) => tab.user === user)) this.open(user);
    for (let round = 0; round < 4; round += 1) {
      for (const { live } of this.tabs) live.sync.send({ type: "retry" });
      await this.clock.advance(20_000);
    }
    const settled = () =>
      this.tabs.every(({ live }) => live.sync.getSnapshot().context.pending === 0);
    await this.clock.until(settled, 120_000);
    await this.clock.advance(60_000);
  }

  private textblocks(live: LiveDocument): Y.XmlText[] {
    return live.fragment.toArray().flatMap((node) => {
      const textblock = node instanceof Y.XmlElement ? node.get(0) : null;
      return textblock instanceof Y.XmlText ? [textblock] : [];
    });
  }

  private someTextblock(live: LiveDocument): Y.XmlText | undefined {
    const textblocks = this.textblocks(live);
    return textblocks[this.random.below(textblocks.length)];
  }

  private type({ user, live }: Tab): void {
    let text = "";
    for (let left = 1 + this.random.below(3); left > 0; left -= 1) {
      const letter = String.fromCharCode(this.letter++);
      this.authors.set(letter, user);
      text += letter;
    }
    this.happened.typed += text.length;
    live.doc.transact(() => {
      let textblock = this.random.chance(0.15) ? undefined : this.someTextblock(live);
      if (!textblock) {
        const paragraph = new Y.XmlElement("paragraph");
        textblock = new Y.XmlText();
        paragraph.insert(0, [textblock]);
        live.fragment.insert(this.random.below(live.fragment.length + 1), [paragraph]);
      }
      textblock.insert(this.random.below(textblock.length + 1), text);
    });
  }

  private erase({ live }: Tab): void {
    const textblock = this.someTextblock(live);
    if (!textblock || textblock.length === 0) return;
    const at = this.random.below(textblock.length);
    const length = 1 + this.random.below(Math.min(3, textblock.length - at));
    for (const letter of plain(textblock).slice(at, at + length)) this.erased.add(letter);
    this.happened.erased += length;
    textblock.delete(at, length);
  }

  private format({ live }: Tab): void {
    const textblock = this.someTextblock(live);
    if (!textblock || textblock.length === 0) return;
    const at = this.random.below(textblock.length);
    textblock.format(at, 1 + this.random.below(textblock.length - at), {
      bold: this.random.chance(0.5) ? true : null,
    });
  }

  private toggleRight(user: string): void {
    const may = this.random.chance(0.7);
    if (!may) this.happened.downgraded += 1;
    this.backend.allow(user, may ? "editor" : "viewer");
    if (may)
      for (const tab of this.tabs) if (tab.user === user) tab.live.sync.send({ type: "retry" });
  }

  /** Closes a tab as one does; what it cannot send stays on the device. */
  private leave(tab: Tab): void {
    if (this.tabs.length < 2) return;
    void tab.live.close();
    this.tabs = this.tabs.filter((other) => other !== tab);
    this.happened.left += 1;
  }

  private async crash(tab: Tab): Promise<void> {
    // What was typed less than an instant ago may be lost with the tab; the device has the rest.
    await this.clock.advance(1);
    const box = tab.box();
    if (!box || this.tabs.length < 2) return;
    this.outboxes.get(tab.user)?.crash(box);
    tab.backendTab.setOffline(true);
    this.tabs = this.tabs.filter((other) => other !== tab);
    this.happened.crashed += 1;
  }
}

const plain = (textblock: Y.XmlText): string =>
  textblock
    .toDelta()
    .map(({ insert }: { insert: unknown }) => (typeof insert === "string" ? insert : ""))
    .join("");

const letters = (text: string) => [...text].filter((letter) => letter >= "\u4e00");

export async function run(
  seed: number,
  steps: number,
  chaos: Chaos,
  weather: Partial<Weather>,
): Promise<Session> {
  const session = new Session(seed, chaos);
  Object.assign(session.backend.weather, weather);
  for (const user of users) session.open(user);
  for (let step = 0; step < steps; step += 1) await session.step();
  await session.calm();
  return session;
}

/** What must be true of the log and of every tab when the storm is over. */
export function judge({ backend, tabs, authors, erased }: Session): void {
  const rows = backend.log(stream);
  expect(new Set(rows.map(({ id }) => id)).size, "an event is in the log twice").toBe(rows.length);

  const fold = new ConfirmedDocument(null);
  const broughtBy = new Map<string, string>();
  for (const row of rows) {
    for (const edit of fold.integrate(row)) {
      for (const letter of insertedText(edit.update))
        if (!broughtBy.has(letter)) broughtBy.set(letter, row.actorId);
    }
    expect(
      fold.doc.store.pendingStructs,
      `version ${row.version} hangs on something later`,
    ).toBeNull();
  }
  expect(fold.anomalies, "an honest edit is rejected").toEqual([]);
  const text = fold.doc.getXmlFragment("default").toString();
  for (const { live, user } of tabs)
    expect(live.fragment.toString(), `${user} sees another text`).toBe(text);

  const seen = letters(text);
  expect(new Set(seen).size, "a letter is there twice").toBe(seen.length);
  const there = new Set(seen);
  for (const [letter, author] of authors) {
    if (!erased.has(letter)) expect(there.has(letter), `${author}'s ${letter} is lost`).toBe(true);
    if (there.has(letter))
      expect(broughtBy.get(letter), `${letter} has another author`).toBe(author);
  }
}
