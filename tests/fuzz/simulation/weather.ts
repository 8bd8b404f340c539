import type { MemoryTab, Weather } from "@/events/backend/memory-backend.fixture";
import type { Page } from "./page";
import type { World } from "./rights";

/** Faults of a page, the server, or the line between them. */
export const troubles = [
  "offline",
  "halfOpen",
  "apart",
  "restart",
  "stall",
  "slow",
  "skew",
  "signOut",
] as const;
export type Trouble = (typeof troubles)[number];

/** Clock errors of devices in ms: an hour, a day or a year, either way. */
const wrongBy = [1, 24, 365 * 24].flatMap((hours) => [hours * 3_600_000, -hours * 3_600_000]);

/** Weather in which messages are lost, late or duplicated, and calls fail. */
export const storm: Partial<Weather> = {
  dropBroadcast: 0.2,
  duplicateBroadcast: 0.1,
  lateBroadcast: 400,
  latency: 25,
  failCall: 0.05,
  loseAnswer: 0.05,
};

const fair: Partial<Weather> = {
  dropBroadcast: 0,
  duplicateBroadcast: 0,
  lateBroadcast: 0,
  failCall: 0,
  loseAnswer: 0,
};

/** Causes and ends the faults between pages and server. */
export class WeatherMaker {
  private readonly apart = new Set<string>();
  private readonly input: World;

  constructor(input: World) {
    this.input = input;
    input.backend.reaches = (from, to) => !this.apart.has(pairOf(from, to));
  }

  begin(weather: Partial<Weather>): void {
    Object.assign(this.input.backend.weather, weather);
  }

  befall(trouble: Trouble, page: Page): void {
    const { random, ledger, clock } = this.input;
    if (trouble === "offline") {
      page.tab.setOffline(!page.tab.offline);
      if (page.tab.offline) ledger.count("offline");
    } else if (trouble === "halfOpen") this.halfOpen(page);
    else if (trouble === "apart") this.part(page);
    else if (trouble === "restart") this.restart();
    else if (trouble === "stall") {
      page.stalling.clock.stall(1_000 + random.below(19_000));
      ledger.count("stalled");
    } else if (trouble === "slow") {
      page.stalling.state.appendDelay = random.chance(0.5) ? 0 : 2_000 + random.below(16_000);
      ledger.count("slow");
    } else if (trouble === "skew") {
      page.stalling.clock.skew = wrongBy[random.below(wrongBy.length)] ?? 0;
      ledger.count("skewed");
    } else {
      page.tab.signedOut = true;
      ledger.count("signedOut");
      clock.after(random.below(20_000), () => {
        page.tab.signedOut = false;
        if (page.open) page.live.resume();
      });
    }
  }

  /** Ends all faults. */
  end(): void {
    Object.assign(this.input.backend.weather, fair);
    this.apart.clear();
    this.input.backend.stopped = false;
    for (const page of this.input.pages()) {
      page.tab.setOffline(false);
      page.tab.signedOut = false;
      page.line.cut(null);
      page.line.weather = { lateRequest: 0, repeatedRequest: 0 };
      page.stalling.state.appendDelay = 0;
    }
  }

  /**
   * Cuts one direction of a page's line for a while, sometimes for longer than sockets need to
   * notice.
   */
  private halfOpen(page: Page): void {
    const { random, ledger, clock } = this.input;
    const up = random.chance(0.5);
    page.line.cut(up ? "up" : "down");
    ledger.count(up ? "uplinkCut" : "downlinkCut");
    clock.after(1_000 + random.below(45_000), () => page.line.cut(null));
  }

  /** Two pages do not receive each other's broadcasts, or only one direction works. */
  private part(page: Page): void {
    const { random, ledger, clock, pages } = this.input;
    const other = pages()[random.below(pages().length)];
    if (!other || other === page) return;
    const pairs = [pairOf(page.tab, other.tab)];
    if (random.chance(0.5)) pairs.push(pairOf(other.tab, page.tab));
    for (const pair of pairs) this.apart.add(pair);
    ledger.count("apart");
    clock.after(2_000 + random.below(60_000), () => {
      for (const pair of pairs) this.apart.delete(pair);
    });
  }

  private restart(): void {
    const { backend, random, ledger, clock } = this.input;
    backend.stop();
    ledger.count("restarted");
    clock.after(200 + random.below(12_000), () => (backend.stopped = false));
  }
}

const pairOf = (from: MemoryTab, to: MemoryTab) => `${from.name} → ${to.name}`;
