import { once } from "node:events";
import { rmSync } from "node:fs";
import { collectDefaultMetrics, register } from "prom-client";
import { provideSessionCheck } from "../../session-check";
import { isWriteToLostConnection } from "../http/lost-connection";
import { errorText, printedText } from "../operations/error-text";
import { currentRequest, takeConsole } from "../operations/log";
import type { Log } from "../operations/log";
import { startPages } from "./pages";
import { Questions } from "./page-messages";
import type { PageOrder, PageReport, PageStart } from "./page-messages";
import { pageServer } from "./page-server";

/**
 * The process that renders pages. `page-child.ts` starts and controls it, and forwards requests.
 */

/** How long sending the last log line may take, in ms. */
const lastLine = 500;

const sessions = new Questions<boolean>();
let leave = async (): Promise<void> => undefined;
let socket: string | null = null;

function report(message: PageReport, sent?: () => void): void {
  // Without a main process, no process receives the report, and this process is about to exit.
  if (process.connected) process.send?.(message, undefined, undefined, sent ?? (() => undefined));
  else sent?.();
}

const log: Log = (message, fields = {}) => {
  const request = currentRequest();
  report({ kind: "line", message, fields: { ...fields, ...(request ? { request } : {}) } });
};

function end(code: number): never {
  if (socket) rmSync(socket, { force: true });
  process.exit(code);
}

/** Exits once pending reports have been sent. */
function endAfterLog(): void {
  const timer = setTimeout(() => end(1), lastLine);
  report({ kind: "pong" }, () => {
    clearTimeout(timer);
    end(1);
  });
}

async function start({ root, port, warmUp, ...given }: PageStart): Promise<void> {
  ({ socket } = given);
  collectDefaultMetrics({ prefix: "palimpsest_pages_" });
  provideSessionCheck(async (session) => {
    const holds = await sessions.ask((call) => report({ kind: "session", call, session }));
    if (holds === null) throw new Error("The backend could not verify the session");
    return holds;
  });
  const pages = await startPages({ root, dev: false, port, warmUp });
  const server = pageServer(pages.handle, given.secret, (error) =>
    log(`Rendering a page failed: ${printedText(error)}`, { level: "error" }),
  );
  // The main process may have exited before this process could notice.
  if (!process.connected) end(1);
  await once(server.listen(given.socket), "listening");
  leave = async () => {
    server.close();
    server.closeAllConnections();
    await pages.close();
  };
  report({ kind: "ready" });
}

function take(order: PageOrder): void {
  if (order.kind === "session") sessions.answered(order.call, order.holds);
  else if (order.kind === "ping") report({ kind: "pong" });
  else if (order.kind === "metrics")
    void register.metrics().then((text) => report({ kind: "metrics", call: order.call, text }));
  else if (order.kind === "close")
    void leave().then(
      () => end(0),
      () => end(1),
    );
  else
    start(order).catch((error: unknown) => {
      log(printedText(error), { level: "error" });
      endAfterLog();
    });
}

takeConsole(log);
// A terminal signals both processes, but the main process decides when this one exits.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => end(1));
process.on("uncaughtException", (error) => {
  if (isWriteToLostConnection(error)) return log(errorText(error), { level: "warn" });
  log(errorText(error), { level: "error" });
  endAfterLog();
});
process.on("unhandledRejection", (reason) => log(printedText(reason), { level: "error" }));
process.on("message", take);
