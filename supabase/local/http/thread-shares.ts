import type { Clock } from "../realtime/clock";
import { tooManyCalls } from "./refusals";

/** How much of the main thread a payer may use while others make requests too. */
const sharing = {
  /** The decay time of remembered work, in ms: after this time about a third of it remains. */
  memory: 4_000,
  /** Remembered work, in ms, above which a payer's requests run one at a time. */
  several: 400,
  /** Remembered work, in ms, above which requests wait: about 30% of the thread, or 10%. */
  most: { account: 1_200, network: 400 },
  /** The thread is busy if it worked for this fraction of the last second. */
  busy: 0.3,
  /** Other payers count as active for this long after their last request, in ms. */
  recent: 1_000,
  /** After this many ms a request counts half, since expensive work is mostly done at the start. */
  half: 100,
  /** A request that takes longer, in ms, waits for something else, and blocks no others. */
  long: 1_000,
  /** How often waiting requests are checked, in ms. */
  tick: 20,
} as const;

const second = 1_000;

type Payer = {
  /** The thread's work for this payer in ms, as remembered at `settled`. */
  spent: number;
  settled: number;
  /** When a request of this payer last arrived, began or ended. */
  seen: number;
  /** The payer's requests in progress. */
  running: Set<Running>;
};
type Running = { kind: string; weight: number; begun: number };

/**
 * A request. `payer` is the account that pays for it, or the network without an account. `weight`
 * is the possible work relative to an ordinary call. `kind` keeps a page apart from the calls that
 * the page itself makes.
 */
type Asked = {
  payer: string;
  pays: "account" | "network";
  kind: "page" | "call";
  weight: number;
};
type Waiting = Asked & { admit: (running: Running) => void };

/**
 * Shares the main thread among payers. Node does not attribute a thread's work to requests, so the
 * work is divided among the requests in progress by their weights. While other payers are active,
 * the requests of a payer that has used more than its share wait. A single payer never waits.
 */
export class ThreadShares {
  private readonly clock: Clock;
  private readonly worked: () => number;
  private readonly payers = new Map<string, Payer>();
  private queue: Waiting[] = [];
  private charged: number;
  /** The work of about the last second, in ms, as remembered at `at`. */
  private lately = { work: 0, at: 0 };
  private isTicking = false;

  /** `worked` returns the thread's total working time in ms. */
  constructor(clock: Clock, worked: () => number) {
    this.clock = clock;
    this.worked = worked;
    this.charged = worked();
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Returns the number of a payer's waiting requests. */
  waitingOf(payer: string): number {
    return this.queue.filter((entry) => entry.payer === payer).length;
  }

  /**
   * Waits until a request may begin, and returns a function to call when the request has ended.
   * Rejects with the reason of `gone` if `gone` aborts first.
   */
  async enter(asked: Asked, gone: AbortSignal): Promise<() => void> {
    gone.throwIfAborted();
    this.charge();
    const payer = this.payer(asked.payer);
    payer.seen = this.clock.now();
    const isBehind = this.queue.some(
      ({ payer: other, kind }) => other === asked.payer && kind === asked.kind,
    );
    const mayBegin = !isBehind && this.mayBegin(asked);
    const running = mayBegin ? this.begin(asked) : await this.turn(asked, gone);
    return () => {
      if (payer.running.has(running)) this.end(payer, running);
    };
  }

  private turn(asked: Asked, gone: AbortSignal): Promise<Running> {
    return new Promise((settle, reject) => {
      const leave = () => {
        this.queue = this.queue.filter((other) => other !== entry);
        reject(gone.reason);
      };
      const entry: Waiting = {
        ...asked,
        admit: (running) => {
          gone.removeEventListener("abort", leave);
          settle(running);
        },
      };
      gone.addEventListener("abort", leave, { once: true });
      this.queue.push(entry);
      this.tickLater();
    });
  }

  private tickLater(): void {
    if (this.isTicking || this.queue.length === 0) return;
    this.isTicking = true;
    this.clock.after(sharing.tick, () => {
      this.isTicking = false;
      this.charge();
      this.admitWaiting();
      this.tickLater();
    });
  }

  private admitWaiting(): void {
    for (const entry of [...this.queue]) {
      if (!this.mayBegin(entry)) continue;
      this.queue = this.queue.filter((other) => other !== entry);
      entry.admit(this.begin(entry));
    }
  }

  private mayBegin({ payer: name, pays, kind }: Asked): boolean {
    const payer = this.payer(name);
    const spent = this.remembered(payer);
    if (spent < sharing.several || !this.isBusy() || !this.othersAsk(payer)) return true;
    if (spent >= sharing.most[pays]) return false;
    const since = this.clock.now() - sharing.long;
    return ![...payer.running].some((other) => other.kind === kind && other.begun > since);
  }

  private isBusy(): boolean {
    const { work, at } = this.lately;
    return work * Math.exp(-(this.clock.now() - at) / second) > sharing.busy * second;
  }

  private othersAsk(than: Payer): boolean {
    const since = this.clock.now() - sharing.recent;
    for (const payer of this.payers.values())
      if (payer !== than && (payer.running.size > 0 || payer.seen >= since)) return true;
    return false;
  }

  private begin({ payer, kind, weight }: Asked): Running {
    const running = { kind, weight, begun: this.clock.now() };
    this.payer(payer).running.add(running);
    return running;
  }

  private end(payer: Payer, running: Running): void {
    this.charge();
    payer.running.delete(running);
    payer.seen = this.clock.now();
    this.admitWaiting();
    this.forget();
  }

  /** Divides the thread's work since the last call among the requests in progress. */
  private charge(): void {
    const worked = this.worked();
    const work = worked - this.charged;
    this.charged = worked;
    const now = this.clock.now();
    const forgotten = Math.exp(-Math.max(0, now - this.lately.at) / second);
    this.lately = { work: this.lately.work * forgotten + work, at: now };
    const weightOf = ({ weight, begun }: Running) =>
      weight / (1 + Math.max(0, now - begun) / sharing.half);
    const parts = [...this.payers.values()]
      .filter(({ running }) => running.size > 0)
      .map((payer) => ({
        payer,
        part: [...payer.running].reduce((sum, running) => sum + weightOf(running), 0),
      }));
    const whole = parts.reduce((sum, { part }) => sum + part, 0);
    for (const { payer, part } of parts) {
      payer.spent = this.remembered(payer) + (work * part) / whole;
      payer.settled = now;
    }
  }

  private remembered({ spent, settled }: Payer): number {
    return spent * Math.exp(-Math.max(0, this.clock.now() - settled) / sharing.memory);
  }

  private payer(name: string): Payer {
    const known = this.payers.get(name);
    if (known) return known;
    const now = this.clock.now();
    const made: Payer = { spent: 0, settled: now, seen: now, running: new Set() };
    this.payers.set(name, made);
    return made;
  }

  /** Drops payers whose remembered work has decayed. */
  private forget(): void {
    const since = this.clock.now() - sharing.recent;
    for (const [name, payer] of this.payers) {
      const isQuiet = payer.running.size === 0 && this.waitingOf(name) === 0;
      if (isQuiet && payer.seen < since && this.remembered(payer) < 1) this.payers.delete(name);
    }
  }
}

const mostWaiting = 200;

/**
 * Answers a request once the thread has a share for it. Returns null if the caller disconnects
 * first, and a 429 response if too many of the payer's requests wait.
 */
export async function inShare<T>(
  shares: ThreadShares,
  asked: Asked,
  gone: AbortSignal,
  answer: () => Promise<T>,
): Promise<T | Response | null> {
  if (shares.waitingOf(asked.payer) >= mostWaiting) return tooManyCalls();
  const end = await shares.enter(asked, gone).catch(() => null);
  if (end === null) return null;
  try {
    return await answer();
  } finally {
    end();
  }
}
