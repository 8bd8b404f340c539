import { newestSchema } from "@/events/content/text-schema";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import type { Weather } from "@/events/backend/memory-backend.fixture";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import { memoryOutbox } from "@/events/device/outbox";
import { flushOutbox } from "@/machines/sync/outbox-flush";
import type { Chaos } from "./chaos";
import { Ledger, stream } from "./ledger";
import { Page } from "./page";
import { Rights } from "./rights";
import { troubles, WeatherMaker } from "./weather";
import { foreignEdit } from "./writer";

const editors = ["ana", "ben", "carol", "dave"];
/** Readers, until they are given more rights. */
const viewers = ["erin"];
/**
 * A person who may write and never does, with a page of an earlier build that never reloads by
 * itself.
 */
const reader = "olga";
export const people = [...editors, ...viewers, reader];
const mostPages = 8;

/** A run of many people on one document; every typed letter is different. */
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
  private schema = newestSchema;
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
      if (step >= this.deployAt) this.schema = newestSchema + 1;
      await this.step();
    }
  }

  open(user: string): Page {
    const { random, ledger } = this;
    this.opened += 1;
    if (this.pages.some((page) => page.user === user)) ledger.count("duplicated");
    // The server's snapshot may be older than the log, or missing.
    if (random.chance(0.5)) this.snapshot = ledger.state();
    const initial = random.chance(0.6) ? this.snapshot : null;
    if (initial) ledger.count("fromSnapshot");
    const page = new Page({
      ...this,
      user,
      tab: this.backend.tab(user, String(this.opened)),
      outbox: this.outboxOf(user),
      initial,
      // A browser may still have the previous build.
      schema: user === reader || random.chance(0.3) ? newestSchema : this.schema,
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

  /** Ends all faults, and opens a page for every person with read access. */
  async calm(): Promise<void> {
    this.weather.end();
    for (const page of this.pages) {
      // A person who was refused asks again when they look at the page.
      page.live.resume();
      page.tell(this.rights.accessOf(page.user));
    }
    for (const user of people)
      if (this.rights.roleOf(user) && !this.pages.some((page) => page.user === user))
        this.open(user);
    for (let round = 0; round < 4; round += 1) {
      for (const { live } of this.pages) live.sync.send({ type: "retry" });
      await this.clock.advance(20_000);
    }
    // Removed people must not see what is written now.
    for (const page of this.pages) if (page.writable) page.writer.type();
    const settled = () =>
      this.pages.every((page) => page.pending === 0 || this.rights.accessOf(page.user) !== "write");
    await this.clock.until(settled, 120_000).catch(() => {
      const stuck = this.pages.filter(({ pending }) => pending > 0);
      throw new Error(`unsent: ${stuck.map(({ live }) => JSON.stringify(live.debug())).join()}`);
    });
    await this.clock.advance(60_000);
    for (const page of this.pages) page.look();
  }

  /** Gives write access back to everyone who once had it. */
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
    // A stalled page cannot be used.
    if (page.stalling.clock.stalled) return;
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
    else if (page.writable) await this.write(page);
  }

  private async write(page: Page): Promise<void> {
    const { random } = this;
    const { schema, writer } = page;
    if (schema > newestSchema && random.chance(0.25)) {
      writer.writeNew();
      // A page of the previous build may take over its leftovers.
      if (random.chance(0.3)) await this.crash(page);
    } else if (random.chance(0.8)) writer.type();
    else if (random.chance(0.7)) writer.erase();
    else writer.format();
  }

  /** One person performs the action that their page offers. */
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

  /** A person without write access calls the server directly. */
  private intrude({ user, tab }: Page): void {
    if (this.rights.accessOf(user) === "write") return;
    this.ledger.count("intruded");
    const proposal = foreignEdit(this.random, this.clock.now());
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

  /**
   * Closes a tab properly; what it cannot send stays on the device, and the next page of the
   * product sends it.
   */
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
    // Text typed an instant ago may be lost with the tab; the device has the rest.
    await this.clock.advance(1);
    if (!page.box || this.pages.length < 2) return;
    page.drop(this.outboxOf(page.user));
    this.remove(page);
    this.ledger.count("crashed");
  }

  private reload(page: Page): void {
    if (!page.box || this.rights.roleOf(page.user) === null || this.backend.stopped) return;
    page.live.flush();
    // A request in flight may or may not have reached the server.
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
