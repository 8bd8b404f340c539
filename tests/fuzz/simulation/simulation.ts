import * as Y from "yjs";
import { MemoryBackend, type Weather } from "@/events/backend/memory-backend.fixture";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { type DocumentState } from "@/events/crdt/validation/document-state";
import { memoryOutbox } from "@/events/device/outbox";
import { type Proposal } from "@/events/core/envelope";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { flushOutbox } from "@/machines/sync/outbox-flush";
import { Ledger, stream } from "./ledger";
import { Page } from "./page";
import { Rights } from "./rights";
import { type Trouble, WeatherMaker } from "./weather";

const editors = ["ana", "ben", "carol", "dave"];
/** Who reads only, until somebody gives them more. */
const viewers = ["erin"];
/** Who may write and never does, with a page of an earlier build that is never opened anew by itself. */
const reader = "olga";
export const people = [...editors, ...viewers, reader];
const mostPages = 8;

/** What people and their pages do besides writing, and what befalls them; probabilities of each step. */
export type Chaos = Partial<
  Record<
    Trouble | "rights" | "intrude" | "trash" | "crash" | "reload" | "open" | "leave" | "respond",
    number
  >
> & {
  /** The probability that a newer build is deployed while people write. */
  deploy?: number;
  requests?: { lateRequest: number; repeatedRequest: number };
};

/** Everything that can go wrong. */
export const upheaval: Chaos = {
  offline: 0.05,
  halfOpen: 0.03,
  apart: 0.02,
  restart: 0.006,
  stall: 0.02,
  slow: 0.02,
  skew: 0.01,
  signOut: 0.01,
  rights: 0.025,
  intrude: 0.02,
  trash: 0.006,
  crash: 0.02,
  reload: 0.015,
  open: 0.025,
  leave: 0.01,
  respond: 0.05,
  deploy: 0.5,
  requests: { lateRequest: 0.05, repeatedRequest: 0.05 },
};

/** Nobody leaves, and nothing of anybody's is lost: pages only stand still, and appends are long on their way. */
export const sluggishness: Chaos = { stall: 0.05, slow: 0.05 };

/** A run of many people on one document; every letter that is ever typed is a different one. */
export class Simulation {
  readonly clock = new VirtualClock();
  readonly random: ReturnType<typeof seededRandom>;
  readonly backend: MemoryBackend;
  readonly ledger: Ledger;
  readonly rights: Rights;
  pages: Page[] = [];
  readonly everyPage: Page[] = [];
  readonly outboxes = new Map(people.map((user) => [user, memoryOutbox()]));
  private readonly weather: WeatherMaker;
  private readonly chaos: Chaos;
  private opened = 0;
  private snapshot: DocumentState | null = null;
  private schema = 1;
  private readonly deployAt: number;

  constructor(seed: number, chaos: Chaos) {
    this.chaos = chaos;
    this.random = seededRandom(seed);
    this.backend = new MemoryBackend(this.clock, this.random);
    this.ledger = new Ledger(this.backend);
    const parts = { ...this, pages: () => this.pages };
    this.weather = new WeatherMaker(parts);
    this.rights = new Rights(parts);
    this.deployAt = this.random.chance(chaos.deploy ?? 0) ? 20 + this.random.below(50) : Infinity;
    for (const user of editors) this.rights.give(user, "editor");
    if (chaos.deploy) this.rights.give(reader, "editor");
    if (chaos.rights) for (const user of viewers) this.rights.give(user, "viewer");
  }

  async run(steps: number, weather: Partial<Weather>): Promise<void> {
    this.weather.begin(weather);
    for (const user of people) if (this.rights.roleOf(user)) this.open(user);
    for (let step = 0; step < steps; step += 1) {
      if (step >= this.deployAt) this.schema = 2;
      await this.step();
    }
  }

  open(user: string): Page {
    const { random, ledger } = this;
    this.opened += 1;
    if (this.pages.some((page) => page.user === user)) ledger.count("duplicated");
    // The server's snapshot may be older than the log, or there is none.
    if (random.chance(0.5)) this.snapshot = ledger.state();
    const initial = random.chance(0.6) ? this.snapshot : null;
    if (initial) ledger.count("fromSnapshot");
    const page = new Page({
      ...this,
      user,
      tab: this.backend.tab(user, String(this.opened)),
      outbox: this.outboxOf(user),
      initial,
      // A browser may still have the build before.
      schema: user === reader || random.chance(0.3) ? 1 : this.schema,
      reads: user === reader,
      access: this.rights.accessOf(user),
    });
    if (this.chaos.requests) page.line.weather = this.chaos.requests;
    this.pages.push(page);
    this.everyPage.push(page);
    return page;
  }

  outboxOf(user: string) {
    const outbox = this.outboxes.get(user);
    if (!outbox) throw new Error(`${user} has no device`);
    return outbox;
  }

  /** Everything works again, and everybody has a page open who may read. */
  async calm(): Promise<void> {
    this.weather.end();
    for (const page of this.pages) page.tell(this.rights.accessOf(page.user));
    for (const user of people)
      if (this.rights.roleOf(user) && !this.pages.some((page) => page.user === user))
        this.open(user);
    for (let round = 0; round < 4; round += 1) {
      for (const { live } of this.pages) live.sync.send({ type: "retry" });
      await this.clock.advance(20_000);
    }
    // What is written now, those who were removed must not see.
    for (const page of this.pages) if (page.writable) page.type();
    const settled = () =>
      this.pages.every((page) => page.pending === 0 || this.rights.accessOf(page.user) !== "write");
    await this.clock.until(settled, 120_000).catch(() => {
      const stuck = this.pages.filter(({ pending }) => pending > 0);
      throw new Error(`unsent: ${stuck.map(({ live }) => JSON.stringify(live.debug())).join()}`);
    });
    await this.clock.advance(60_000);
    for (const page of this.pages) page.look();
  }

  /** Everybody who could write once may again. */
  async restore(): Promise<void> {
    this.rights.trash(false);
    for (const user of editors) this.rights.give(user, "editor");
    await this.clock.advance(4_000);
    await this.calm();
  }

  private async step(): Promise<void> {
    const { random } = this;
    const page = this.pages[random.below(this.pages.length)];
    if (page) await this.act(page);
    await this.clock.advance(random.below(random.chance(0.05) ? 9_000 : 300));
  }

  private async act(page: Page): Promise<void> {
    const { random, chaos } = this;
    let dice = random.unit();
    const falls = (probability = 0) => (dice -= probability) < 0;
    // Nobody does anything with a page that stands still.
    if (page.stalling.clock.stalled) return;
    const troubles = [
      "offline",
      "halfOpen",
      "apart",
      "restart",
      "stall",
      "slow",
      "skew",
      "signOut",
    ] as const;
    const trouble = troubles.find((name) => falls(chaos[name]));
    if (trouble) this.weather.befall(trouble, page);
    else if (falls(chaos.rights)) this.changeRight();
    else if (falls(chaos.intrude)) this.intrude(page);
    else if (falls(chaos.trash)) this.trash();
    else if (falls(chaos.crash)) await this.crash(page);
    else if (falls(chaos.reload)) this.reload(page);
    else if (falls(chaos.open)) this.comeBack();
    else if (falls(chaos.leave)) this.leave(page);
    else if (falls(chaos.respond)) this.respond();
    else if (page.writable) this.write(page);
  }

  private write(page: Page): void {
    const { random } = this;
    if (page.schema > 1 && random.chance(0.25)) page.writeNew();
    else if (random.chance(0.8)) page.type();
    else if (random.chance(0.7)) page.erase();
    else page.format();
  }

  /** Somebody does what their page offers. */
  private respond(): void {
    const asked = this.pages.filter(
      ({ status, stalling }) => status.action !== null && !stalling.clock.stalled,
    );
    asked[this.random.below(asked.length)]?.respond();
  }

  private changeRight(): void {
    const others = [...editors, ...viewers];
    const user = others[this.random.below(others.length)] ?? "ana";
    const roles = ["editor", "editor", "editor", "viewer", null] as const;
    this.rights.give(user, roles[this.random.below(roles.length)] ?? null);
  }

  /** Somebody who may not write speaks to the server by themselves. */
  private intrude({ user, tab }: Page): void {
    if (this.rights.accessOf(user) === "write") return;
    this.ledger.count("intruded");
    const forged = new Y.Doc();
    forged.clientID = this.random.clientId();
    forged.getXmlFragment("default").insert(0, [new Y.XmlElement("paragraph")]);
    const update = encodeEdits([{ update: Y.encodeStateAsUpdate(forged), time: this.clock.now() }]);
    const proposal: Proposal = {
      id: this.random.uuid(),
      type: "document.edited",
      body: {},
      update,
      clientIds: [forged.clientID],
    };
    void tab
      .store()
      .append(stream, null, [proposal])
      .catch(() => null);
  }

  private trash(): void {
    this.rights.trash(true);
    this.clock.after(this.random.below(15_000), () => this.rights.trash(false));
  }

  private comeBack(): void {
    const user = people[this.random.below(people.length)] ?? "ana";
    if (this.pages.length >= mostPages || this.backend.stopped) return;
    if (this.rights.roleOf(user)) this.open(user);
  }

  /** Closes a tab as one does; what it cannot send stays on the device, and the next page of the product sends it. */
  private leave(page: Page): void {
    if (this.pages.length < 2) return;
    void page.live.close();
    this.remove(page);
    this.ledger.count("closed");
    if (!this.random.chance(0.5)) return;
    this.ledger.count("flushed");
    void flushOutbox({
      userId: page.user,
      store: page.stalling.store,
      clock: this.clock,
      random: this.random,
      schemaVersion: page.schema,
      outbox: this.outboxOf(page.user),
      locks: { hold: () => Promise.resolve(() => {}) },
    });
  }

  private async crash(page: Page): Promise<void> {
    // What was typed less than an instant ago may be lost with the tab; the device has the rest.
    await this.clock.advance(1);
    if (!page.box || this.pages.length < 2) return;
    page.drop(this.outboxOf(page.user));
    this.remove(page);
    this.ledger.count("crashed");
  }

  private reload(page: Page): void {
    if (!page.box || this.rights.roleOf(page.user) === null || this.backend.stopped) return;
    page.live.flush();
    // What was under way may or may not have reached the server.
    this.clock.after(1, () => page.drop(this.outboxOf(page.user)));
    this.remove(page);
    this.open(page.user);
    this.ledger.count("reloaded");
  }

  private remove(page: Page): void {
    page.open = false;
    this.pages = this.pages.filter((other) => other !== page);
  }
}
