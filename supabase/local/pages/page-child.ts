import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Log, LogLevel } from "../operations/log";
import type { PageLine } from "./hand-over";
import { Questions } from "./page-messages";
import type { PageOrder, PageReport, PageStart } from "./page-messages";
import type { PageProcess } from "./page-supervisor";

/** How long the page process may take to exit on request, in ms. */
const patience = 600;

export type PageChild = PageProcess<PageLine> & {
  /** Reads the metrics of the page process; null if it has exited. */
  metrics(): Promise<string | null>;
  /** Reads the processor time of its main thread in ms; null if unknown or exited. */
  worked(): number | null;
};

type Options = Omit<PageStart, "secret"> & {
  script: string;
  sessionHolds: (session: string) => Promise<boolean>;
  log: Log;
};

/** Starts a process that renders pages. It exits with this process. */
export function startPageChild({ script, sessionHolds, log, ...start }: Options): PageChild {
  const secret = randomBytes(32).toString("hex");
  const agent = new Agent({ keepAlive: true });
  const child = fork(script, [], {
    execArgv: [
      ...process.execArgv.filter((flag) => !flag.startsWith("--inspect")),
      "--enable-source-maps",
    ],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const order = (message: PageOrder) => {
    // If the process has exited, only its exit counts.
    if (child.connected) child.send(message, () => undefined);
  };
  const [metrics, pings] = [new Questions<string>(), new Set<() => void>()];
  const ended = endOf(child);
  const endsWithUs = () => child.kill("SIGKILL");
  process.once("exit", endsWithUs);
  void ended.then(() => {
    process.off("exit", endsWithUs);
    metrics.close();
    agent.destroy();
  });
  // V8 and libraries write here directly, such as when memory runs out.
  printLines(child.stdout, "info", log);
  printLines(child.stderr, "warn", log);
  const ready = new Promise<PageLine>((settle, reject) => {
    child.on("message", (report: PageReport) => {
      if (report.kind === "ready") settle({ socketPath: start.socket, secret, agent });
      else if (report.kind === "line") log(report.message, report.fields);
      else if (report.kind === "metrics") metrics.answered(report.call, report.text);
      else if (report.kind === "pong") {
        for (const answered of pings) answered();
        pings.clear();
      } else
        sessionHolds(report.session).then(
          (holds) => order({ kind: "session", call: report.call, holds }),
          () => order({ kind: "session", call: report.call, holds: null }),
        );
    });
    void ended.then((how) =>
      reject(new Error(`The process that renders pages ended before it was ready (${how}).`)),
    );
  });
  order({ kind: "start", ...start, secret });
  return {
    ready,
    ended,
    ping: () =>
      new Promise((settle) => {
        pings.add(settle);
        order({ kind: "ping" });
      }),
    metrics: () => metrics.ask((call) => order({ kind: "metrics", call })),
    worked: () => processorTime(child.pid),
    kill: () => void child.kill("SIGKILL"),
    close() {
      order({ kind: "close" });
      const timer = setTimeout(() => child.kill("SIGKILL"), patience);
      void ended.then(() => clearTimeout(timer));
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((settle) => {
    child.once("error", (error) => settle(error.message));
    child.once("exit", (code, signal) => settle(signal ?? `code ${String(code)}`));
  });
}

function printLines(stream: Readable | null, level: LogLevel, log: Log): void {
  if (!stream) return;
  createInterface({ input: stream }).on("line", (line) => {
    if (line.trim() !== "") log(line, { level, part: "pages" });
  });
}

/** Reads the processor time of a process's main thread in ms, from Linux's statistics in ns. */
function processorTime(pid: number | undefined): number | null {
  try {
    return Number(readFileSync(`/proc/${pid ?? 0}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return null;
  }
}
