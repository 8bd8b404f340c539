import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftWhile } from "../http/http";
import type { Log } from "../operations/log";
import { threadTime } from "../operations/thread-time";
import type { Pages } from "./pages";
import { systemClock } from "../realtime/clock";
import { pathOf } from "../http/reverse-proxy";
import { handOver } from "./hand-over";
import type { PageLine } from "./hand-over";
import { startPageChild } from "./page-child";
import type { PageChild } from "./page-child";
import { PageSupervisor } from "./page-supervisor";
import { answerAway } from "./pages-away";

/** Unix socket paths are limited to 104 bytes on macOS, and slightly more on Linux. */
const longestAddress = 100;

export type SeparatePages = Pages & {
  /** Resolves if pages can be served. */
  check(): Promise<void>;
  /** Reads the metrics of the page process; empty if it does not respond. */
  metrics(): Promise<string>;
  /** Returns the total processor time of rendering so far, in ms. */
  worked(): number;
};

type Options = {
  root: string;
  port: number;
  warmUp: boolean;
  dataDir: string;
  /** The module that the process runs. */
  script: string;
  sessionHolds: (session: string) => Promise<boolean>;
  log: Log;
};

/**
 * Starts Next in its own process: React renders a page synchronously, which would block the main
 * thread.
 */
export async function startSeparatePages(options: Options): Promise<SeparatePages> {
  const { dataDir, log, ...given } = options;
  const folder = await socketFolder(dataDir);
  const time = new ProcessorTime(threadTime());
  let child: PageChild | null = null;
  let count = 0;
  const supervisor = new PageSupervisor(
    (isFirst) => {
      count += 1;
      const started = startPageChild({
        ...given,
        // After a restart, requests are waiting, so the warm-up is skipped.
        warmUp: given.warmUp && isFirst,
        socket: join(folder, String(count)),
        log,
      });
      time.follow(() => started.worked());
      child = started;
      return started;
    },
    systemClock,
    log,
  );
  await supervisor.start();
  return {
    async handle(incoming, outgoing) {
      const gone = leftWhile(outgoing);
      const line = await supervisor.line(gone);
      if (gone.aborted) return;
      if (line !== null && (await over(incoming, outgoing, line)) === "over") return;
      // Retry only files, since rendering this page may have crashed the process.
      const next = isFile(incoming) ? await supervisor.line(gone, line) : null;
      if (next !== null && (await over(incoming, outgoing, next)) === "over") return;
      if (!gone.aborted) await answerAway(incoming, outgoing);
    },
    upgrade: () => false,
    async close() {
      await supervisor.close();
      await rm(folder, { recursive: true, force: true });
    },
    async check() {
      if (!supervisor.isUp) throw new Error("Page rendering is not available");
    },
    metrics: async () => (await child?.metrics()) ?? "",
    worked: () => time.total(),
  };
}

const isFile = (incoming: IncomingMessage) => pathOf(incoming).startsWith("/_next/static/");

const over = (incoming: IncomingMessage, outgoing: ServerResponse, line: PageLine) =>
  handOver(incoming, outgoing, line, String(outgoing.getHeader("x-request-id") ?? ""));

/**
 * Creates a folder that only this user can access. The data folder is locked, so any content of the
 * folder is from an earlier process.
 */
async function socketFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, "pages");
  if (Buffer.byteLength(folder) + 8 > longestAddress)
    return mkdtemp(join(tmpdir(), "palimpsest-pages-"));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}

/** The total processor time of consecutive processes. */
class ProcessorTime {
  private readonly otherwise: () => number;
  private read: () => number | null = () => null;
  private before = 0;
  private last = 0;

  /** `otherwise` returns the time if the system does not report it. */
  constructor(otherwise: () => number) {
    this.otherwise = otherwise;
  }

  /** Switches to another process. */
  follow(read: () => number | null): void {
    this.before += this.last;
    this.last = 0;
    this.read = read;
  }

  total(): number {
    const now = process.platform === "linux" ? this.read() : this.otherwise();
    this.last = Math.max(this.last, now ?? 0);
    return this.before + this.last;
  }
}
