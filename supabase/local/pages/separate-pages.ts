import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftWhile } from "../http";
import type { Log } from "../operations/log";
import { threadTime } from "../operations/thread-time";
import type { Pages } from "../pages";
import { systemClock } from "../realtime/clock";
import { pathOf } from "../reverse-proxy";
import { handOver, type PageLine } from "./hand-over";
import { type PageChild, startPageChild } from "./page-child";
import { PageSupervisor } from "./page-supervisor";
import { answerAway } from "./pages-away";

/** An address of a Unix socket has 104 bytes on macOS, and a few more on Linux. */
const longestAddress = 100;

export type SeparatePages = Pages & {
  /** Settles where pages can be asked for. */
  check(): Promise<void>;
  /** Its metrics; empty where it does not answer. */
  metrics(): Promise<string>;
  /** The ms of processor time that rendering had so far. */
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
 * Starts Next in a process of its own: React renders a page in one turn, and the thread of the main
 * process answers everybody who writes.
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
        // While others wait for pages, the first of them may take longer.
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
      // A page may be what the process ended of. Files are harmless.
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
      if (!supervisor.isUp) throw new Error("Pages are not rendered.");
    },
    metrics: async () => (await child?.metrics()) ?? "",
    worked: () => time.total(),
  };
}

const isFile = (incoming: IncomingMessage) => pathOf(incoming).startsWith("/_next/static/");

const over = (incoming: IncomingMessage, outgoing: ServerResponse, line: PageLine) =>
  handOver(incoming, outgoing, line, String(outgoing.getHeader("x-request-id") ?? ""));

/** A folder that only this user may enter. The data folder is locked: what is in it was left by an earlier process. */
async function socketFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, "pages");
  if (Buffer.byteLength(folder) + 8 > longestAddress)
    return mkdtemp(join(tmpdir(), "palimpsest-pages-"));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}

/** The processor time of one process after the other. */
class ProcessorTime {
  readonly #otherwise: () => number;
  #read: () => number | null = () => null;
  #before = 0;
  #last = 0;

  /** `otherwise` is what counts where the system does not say. */
  constructor(otherwise: () => number) {
    this.#otherwise = otherwise;
  }

  /** From now on it is that of another process. */
  follow(read: () => number | null): void {
    this.#before += this.#last;
    this.#last = 0;
    this.#read = read;
  }

  total(): number {
    const now = process.platform === "linux" ? this.#read() : this.#otherwise();
    this.#last = Math.max(this.#last, now ?? 0);
    return this.#before + this.#last;
  }
}
