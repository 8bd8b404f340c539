import { fromBase64 } from "@/events/core/bytes/base64";
import { insertedText } from "@/events/crdt/updates/inserted-text";
import type { MemoryBackend, MemoryTab } from "@/events/backend/memory-backend.fixture";
import type { Transport } from "@/events/realtime/channel";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import type { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { letters } from "./ledger";
import type { Ledger } from "./ledger";

const updateEvent = "y-supabase-update";
/** The time, in ms, after which a socket notices that nothing comes through. */
const heartbeat = 30_000;
/** How long a call waits for an answer, in ms. */
const patience = 5_000;

type Input = {
  tab: MemoryTab;
  backend: MemoryBackend;
  clock: VirtualClock;
  random: ReturnType<typeof seededRandom>;
  ledger: Ledger;
};

/**
 * The line between one page and the server: it may be cut in one direction only, and may deliver an
 * append twice or late. It records what was acknowledged, and what must not pass through it.
 */
export class Line {
  /** The probability that an append is late, and that it arrives twice. */
  weather = { lateRequest: 0, repeatedRequest: 0 };
  /** The number of broadcasts from this page that could change others' text. */
  sent = 0;
  /** The letters that reached a person without read access. */
  readonly leaked: string[] = [];
  private up = true;
  private down = true;
  private outage = 0;
  private readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }

  get whole(): boolean {
    return this.up && this.down && !this.input.tab.offline;
  }

  /** Cuts one direction, or restores both. */
  cut(direction: "up" | "down" | null): void {
    this.up = direction !== "up";
    this.down = direction !== "down";
    this.outage += 1;
    const { outage } = this;
    if (direction !== null)
      this.input.clock.after(heartbeat, () => {
        if (this.outage === outage) this.input.backend.cut(this.input.tab);
      });
  }

  store(): Store {
    const plain = this.input.tab.store();
    return {
      ...plain,
      append: async (...call) => {
        const { clock, random, ledger } = this.input;
        if (random.chance(this.weather.lateRequest)) {
          ledger.count("lateRequest");
          await clock.wait(random.below(12_000));
        }
        const answer = await this.travel(async () => {
          if (random.chance(this.weather.repeatedRequest)) {
            ledger.count("repeatedRequest");
            clock.after(random.below(8_000), () => void plain.append(...call).catch(() => null));
          }
          const ruled = await plain.append(...call);
          if (!this.down) ledger.count("lostAfterCommit");
          return ruled;
        });
        if (answer.ok) ledger.acknowledged.push(...answer.rulings);
        return answer;
      },
      read: (...call) => this.travel(() => plain.read(...call)),
      topic: (...call) => this.travel(() => plain.topic(...call)),
    };
  }

  transport(): Transport {
    const { tab, backend, clock, ledger } = this.input;
    const plain = tab.transport();
    return {
      ...plain,
      join: (topic, listener) => {
        if (!this.up || !this.down) {
          clock.after(patience, () => listener.lost({ text: "no answer", limited: false }));
          return { send: () => {}, track: () => {}, close: () => Promise.resolve() };
        }
        let moved = false;
        const joined = plain.join(topic, {
          joined: () => listener.joined(),
          lost: (reason) => listener.lost(reason),
          broadcast: (event, payload) => {
            if (!this.down) return;
            if (event === "moved") moved = true;
            if (event === updateEvent && backend.roleOf(tab.user) === null)
              this.leaked.push(...lettersIn(payload));
            listener.broadcast(event, payload);
          },
          presence: (entries) => {
            if (this.down) listener.presence(entries);
          },
        });
        return {
          send: (event, payload) => {
            if (event === updateEvent) {
              this.sent += 1;
              if (moved) ledger.violations.push(`${tab.user} spoke on a topic that has moved`);
            }
            if (this.up) joined.send(event, payload);
          },
          track: (payload) => {
            if (this.up) joined.track(payload);
          },
          close: () => joined.close(),
        };
      },
    };
  }

  private async travel<T>(call: () => Promise<T>): Promise<T> {
    if (!this.up) return this.fail();
    const answer = await call();
    return this.down ? answer : this.fail();
  }

  private async fail(): Promise<never> {
    await this.input.clock.wait(patience);
    throw new StoreFault("no answer", 0);
  }
}

function lettersIn(payload: unknown): string[] {
  if (typeof payload !== "object" || payload === null || !("update" in payload)) return [];
  const { update } = payload;
  return typeof update === "string" ? letters(insertedText(fromBase64(update))) : [];
}
