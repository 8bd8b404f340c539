/** Limits on concurrent appends: overall, through REST, and per account, workspace and stream. */
export const mostAppends = {
  together: 12,
  throughRest: 4,
  account: 4,
  workspace: 3,
  stream: 2,
} as const;

/**
 * The keys by which an append is limited: its account, its stream, the workspace whose counter the
 * append advances, and whether it needs a REST connection.
 */
export type AppendKeys = {
  account: string;
  stream: string;
  workspace: string | null;
  throughRest: boolean;
};

type Waiting = { keys: AppendKeys; admit(): void };

/**
 * How an append ended. After a timeout, the append's stream and workspace get one turn at a time
 * until an append in them is answered.
 */
export type AppendEnd = "answered" | "timed-out";
export type ReleaseAppend = (end: AppendEnd) => void;

const mostWaiting = 500;
/** Beyond this many, the record of stuck streams is cleared. */
const mostStuck = 1000;

/**
 * Admits appends before they take a connection. Appends of one stream or workspace block each other
 * in the database, so running more of them would only hold connections that other workspaces need.
 * The next append in turn is the oldest of the account with the fewest turns.
 */
export class AppendTurns {
  private readonly held = new Map<string, number>();
  private readonly stuck = new Set<string>();
  private together = 0;
  private throughRest = 0;
  private queue: Waiting[] = [];

  /** The number of waiting appends. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Waits for a turn, and returns a function that releases it. Returns null if `patience` aborts
   * first, or if too many appends are waiting.
   */
  async take(keys: AppendKeys, patience: AbortSignal): Promise<ReleaseAppend | null> {
    if (patience.aborted) return null;
    if (this.fits(keys)) this.hold(keys, 1);
    else if (this.queue.length >= mostWaiting || !(await this.turn(keys, patience))) return null;
    let isHeld = true;
    return (end) => {
      if (!isHeld) return;
      isHeld = false;
      this.hold(keys, -1);
      if (this.stuck.size > mostStuck) this.stuck.clear();
      for (const key of sharedKeys(keys)) {
        if (end === "timed-out") this.stuck.add(key);
        else this.stuck.delete(key);
      }
      this.admitWaiting();
    };
  }

  /** Resolves to false if `patience` aborts before the turn. */
  private turn(keys: AppendKeys, patience: AbortSignal): Promise<boolean> {
    return new Promise((settle) => {
      const leave = () => {
        this.queue = this.queue.filter((other) => other !== entry);
        settle(false);
      };
      const entry: Waiting = {
        keys,
        admit() {
          patience.removeEventListener("abort", leave);
          settle(true);
        },
      };
      patience.addEventListener("abort", leave, { once: true });
      this.queue.push(entry);
    });
  }

  private admitWaiting(): void {
    for (;;) {
      let next: Waiting | null = null;
      for (const entry of this.queue) {
        if (!this.fits(entry.keys)) continue;
        if (next === null || this.of(entry.keys.account) < this.of(next.keys.account)) next = entry;
      }
      if (next === null) return;
      const admitted = next;
      this.queue = this.queue.filter((entry) => entry !== admitted);
      this.hold(admitted.keys, 1);
      admitted.admit();
    }
  }

  private of(account: string): number {
    return this.held.get(`account ${account}`) ?? 0;
  }

  private fits(keys: AppendKeys): boolean {
    return (
      this.together < mostAppends.together &&
      (!keys.throughRest || this.throughRest < mostAppends.throughRest) &&
      this.of(keys.account) < mostAppends.account &&
      sharedKeys(keys).every((key) => (this.held.get(key) ?? 0) < this.most(key))
    );
  }

  private most(key: string): number {
    if (this.stuck.has(key)) return 1;
    return key.startsWith("stream ") ? mostAppends.stream : mostAppends.workspace;
  }

  private hold(keys: AppendKeys, amount: 1 | -1): void {
    this.together += amount;
    if (keys.throughRest) this.throughRest += amount;
    for (const key of [`account ${keys.account}`, ...sharedKeys(keys)]) {
      const held = (this.held.get(key) ?? 0) + amount;
      if (held === 0) this.held.delete(key);
      else this.held.set(key, held);
    }
  }
}

function sharedKeys({ stream, workspace }: AppendKeys): string[] {
  return [`stream ${stream}`, ...(workspace === null ? [] : [`workspace ${workspace}`])];
}
