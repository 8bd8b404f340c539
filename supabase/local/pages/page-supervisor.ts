import type { Log } from "../operations/log";
import type { Clock } from "../realtime/clock";

/** A page process, as the supervisor sees it. */
export type PageProcess<Line> = {
  /** The connection to the process once it responds. Rejects if the process exits first. */
  ready: Promise<Line>;
  /** Resolves to a description of the exit. */
  ended: Promise<string>;
  /** Resolves when the process has responded. */
  ping(): Promise<void>;
  kill(): void;
  /** Requests an orderly exit. */
  close(): void;
};

export const supervision = {
  /** The delays before restarts in ms: none at first, longer while processes exit early. */
  rests: [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
  /** After this many ms, a process counts as stable. */
  settled: 60_000,
  /** The interval of pings in ms, and how many in a row may be missed before a restart. */
  heartbeat: 5_000,
  misses: 12,
  /** How long a request waits for the next process, in ms. */
  patience: 5_000,
} as const;

/** Keeps one page process running. A process that exits or stops responding is replaced. */
export class PageSupervisor<Line> {
  private readonly launch: (isFirst: boolean) => PageProcess<Line>;
  private readonly clock: Clock;
  private readonly log: Log;
  private current: PageProcess<Line> | null = null;
  private currentLine: Line | null = null;
  private hasStarted = false;
  /** The number of processes in a row that exited before they were stable. */
  private early = 0;
  private isClosed = false;
  private readonly waiting = new Set<(line: Line | null) => void>();

  constructor(launch: (isFirst: boolean) => PageProcess<Line>, clock: Clock, log: Log) {
    this.launch = launch;
    this.clock = clock;
    this.log = log;
  }

  /** Starts the first process. Rejects if the process exits before it is ready. */
  async start(): Promise<void> {
    await this.begin(true);
    this.hasStarted = true;
  }

  /** Whether pages can be served. */
  get isUp(): boolean {
    return this.currentLine !== null;
  }

  /**
   * Returns the connection to the current process, unless that is `lost`. Waits a while for a new
   * connection, and returns null on timeout or if `gone` aborts.
   */
  line(gone: AbortSignal, lost: Line | null = null): Promise<Line | null> {
    if (this.isClosed || gone.aborted) return Promise.resolve(null);
    if (this.currentLine !== lost) return Promise.resolve(this.currentLine);
    return new Promise((settle) => {
      const over = (line: Line | null) => {
        cancel();
        gone.removeEventListener("abort", leave);
        this.waiting.delete(over);
        settle(line);
      };
      const leave = () => over(null);
      const cancel = this.clock.after(supervision.patience, leave);
      gone.addEventListener("abort", leave, { once: true });
      this.waiting.add(over);
    });
  }

  /** Stops the process without a restart. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.currentLine = null;
    for (const over of [...this.waiting]) over(null);
    const last = this.current;
    if (!last) return;
    last.close();
    await last.ended;
  }

  private async begin(isFirst: boolean): Promise<void> {
    const begun = this.clock.now();
    const launched = this.launch(isFirst);
    this.current = launched;
    void launched.ended.then((how) => this.ended(launched, begun, how));
    const line = await launched.ready;
    if (this.current !== launched || this.isClosed) return;
    this.currentLine = line;
    for (const over of [...this.waiting]) over(line);
    this.watch(launched, 0);
    if (!isFirst) this.log("Pages are rendered again", { part: "pages" });
  }

  private ended(launched: PageProcess<Line>, begun: number, how: string): void {
    if (this.current !== launched) return;
    this.current = null;
    this.currentLine = null;
    // A failed first start reports its own error.
    if (this.isClosed || !this.hasStarted) return;
    const hasSettled = this.clock.now() - begun >= supervision.settled;
    this.early = hasSettled ? 0 : this.early + 1;
    const { rests } = supervision;
    const rest = rests[Math.min(hasSettled ? 0 : this.early - 1, rests.length - 1)] ?? 0;
    this.log(
      `The process that renders pages ended (${how}). ` +
        (rest === 0 ? "Another one starts." : `Another one starts in ${rest / 1_000} s.`),
      { level: "error", part: "pages" },
    );
    this.clock.after(rest, () => {
      // The exit of the process is reported separately.
      if (!this.isClosed) this.begin(false).catch(() => undefined);
    });
  }

  private watch(launched: PageProcess<Line>, misses: number): void {
    let hasAnswered = false;
    void launched.ping().then(() => (hasAnswered = true));
    this.clock.after(supervision.heartbeat, () => {
      if (this.current !== launched) return;
      const missed = hasAnswered ? 0 : misses + 1;
      if (missed < supervision.misses) return this.watch(launched, missed);
      this.log("The process that renders pages does not respond and is killed.", {
        level: "error",
        part: "pages",
      });
      launched.kill();
    });
  }
}
