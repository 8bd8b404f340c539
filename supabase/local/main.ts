import { mkdir } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { startBackend } from "./backend";
import type { RunningBackend } from "./backend";
import { acknowledging } from "./http/acknowledgement";
import { admitFolder, clearRestoring, settleFolder } from "./process/data-folder";
import type { FolderPlace } from "./process/data-folder";
import { planDemo } from "./demo";
import { watchFolder } from "./process/folder-watch";
import type { FolderWatch } from "./process/folder-watch";
import { openReverseProxy, pathOf, refuseUpgrade } from "./http/reverse-proxy";
import type { ReverseProxy, Router } from "./http/reverse-proxy";
import { answerBackend, mayOpenSocket } from "./gateway";
import { isBackendPath } from "./http/admission";
import { lockFolder } from "./process/lock";
import { releaseVersions } from "./database/migrations";
import { mailIsClosed } from "./mail/mail-endpoint";
import { isWriteToLostConnection } from "./http/lost-connection";
import { isEverywhere, isLoopback } from "./http/origin";
import { errorText, printedText } from "./operations/error-text";
import { openLog, takeConsole } from "./operations/log";
import type { Log } from "./operations/log";
import { openMetrics } from "./operations/metrics";
import type { Metrics } from "./operations/metrics";
import { readinessOf } from "./operations/readiness";
import { withStartFaults } from "./operations/start-fault";
import { hostedChecks } from "./operations/hosted-checks";
import { pagesInTurn } from "./pages/page-turns";
import { postgresBinaries } from "./database/postgres-binaries";
import { startPages } from "./pages/pages";
import { startSeparatePages } from "./pages/separate-pages";
import type { SeparatePages } from "./pages/separate-pages";
import { ThreadShares } from "./http/thread-shares";
import { threadTime } from "./operations/thread-time";
import { systemClock } from "./realtime/clock";
import { ownAddress, readSettings } from "./settings";
import type { Settings } from "./settings";
import { environment } from "../environment";
import { provideSessionCheck } from "../session-check";
import { sendResponse } from "./http/http";

// In use until the settings are read, which include the log's format.
let log: Log = openLog({ format: "text", level: "info" });
const undo: { name: string; step: () => Promise<void> }[] = [];

/**
 * Completes a build: creates PostgreSQL's library links, which a start in a read-only image cannot
 * create.
 */
export async function finishBuild(): Promise<void> {
  await postgresBinaries();
}

/**
 * Starts everything on one port, and logs one line when it is ready. If the start fails, exits with
 * an error message. `pagesScript` is the module of the page process.
 */
export async function main(root: string, pagesScript: string): Promise<void> {
  endWithSignals();
  starting = start(root, pagesScript);
  await starting.catch(async (error: unknown) => {
    if (!ending) log(explain(error), { level: "error" });
    await end(1);
  });
}

async function start(root: string, pagesScript: string): Promise<void> {
  const begun = performance.now();
  const settings = readSettings(process.env, process.argv.slice(2), root);
  const metrics = openMetrics();
  const written = openLog({ format: settings.logFormat, level: settings.logLevel });
  log = (message, fields) => {
    metrics.logged(fields?.level ?? "info");
    written(message, fields);
  };
  takeConsole(log);
  // First the port, then the folder's lock, and only then the data. A second process therefore
  // exits before it changes anything.
  const reverseProxy = await openReverseProxy(settings, log, metrics);
  undo.push({ name: "the port", step: reverseProxy.close });
  if (settings.hosted) reverseProxy.open(await hostedRouter(settings, root));
  else
    await withStartFaults(settings.dataDir, () =>
      openEmbedded(settings, root, pagesScript, reverseProxy, metrics),
    );
  if (!ending)
    log(
      `Ready on ${addresses(settings).join(" and ")} (${((performance.now() - begun) / 1000).toFixed(1)} s)`,
    );
}

async function hostedRouter(settings: Settings, root: string): Promise<Router> {
  const { url, publishableKey } = environment();
  log(`Using the Supabase project at ${url}`);
  const checks = hostedChecks(url, publishableKey, await releaseVersions());
  const pages = await startPages({ root, ...settings });
  undo.push({ name: "the pages", step: pages.close });
  return {
    request: (incoming, outgoing) => pages.handle(incoming, outgoing),
    async upgrade(incoming, socket, head) {
      if (!pages.upgrade(incoming, socket, head)) refuseUpgrade(socket, "404 Not Found");
    },
    readiness: readinessOf(checks, () => performance.now()),
  };
}

async function openEmbedded(
  settings: Settings,
  root: string,
  pagesScript: string,
  reverseProxy: ReverseProxy,
  metrics: Metrics,
): Promise<void> {
  const place: FolderPlace = {
    folder: settings.dataDir,
    notes: settings.stateDir,
    holdsDatabase: settings.databaseUrl === null,
  };
  await admitFolder(place, settings.isNew, log);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o711 });
  undo.push({ name: "the data folder", step: await lockFolder(settings.dataDir) });
  await clearRestoring(settings.dataDir, log);
  const demo = settings.demo ? await planDemo(settings.dataDir, log) : null;
  const backend = await startBackend(settings, root, log, metrics, () => ending !== null);
  metrics.watch(backend.sources);
  undo.push({ name: "the backend", step: backend.close });
  await settleFolder(place, () => new Date(), log);
  const folder = watchFolder(place, backend.newestLog);
  undo.push({ name: "the watch over the data folder", step: async () => folder.stop() });
  endWhenUnavailable(backend, folder, settings.dataDir);
  Object.assign(process.env, {
    SUPABASE_URL: ownAddress(settings),
    SUPABASE_PUBLISHABLE_KEY: backend.keys.publishableKey,
    SUPABASE_SECRET_KEY: backend.keys.secretKey,
    SUPABASE_JWT_SECRET: backend.keys.jwtSecret,
    PALIMPSEST_EMBEDDED: "1",
    DEMO: settings.demo ? "1" : "0",
    MAIL_PAGE: !settings.isPublished || settings.mailPage ? "1" : "0",
  });
  const pages = settings.dev
    ? await startPagesHere(settings, root, backend)
    : await startSeparatePages({
        root,
        port: settings.port,
        warmUp: settings.warmUp,
        dataDir: settings.dataDir,
        script: pagesScript,
        sessionHolds: backend.sessions.holds,
        log,
      });
  undo.push({ name: "the pages", step: pages.close });
  metrics.join(pages.metrics);
  reverseProxy.open(embeddedRouter(acknowledging(backend, folder), pages, folder));
  await demo?.load(ownAddress(settings), backend.keys.secretKey);
}

/** Starts pages in this process, in development: hot reload needs sockets, and one person works. */
async function startPagesHere(
  settings: Settings,
  root: string,
  backend: RunningBackend,
): Promise<SeparatePages> {
  provideSessionCheck(backend.sessions.holds);
  const pages = await startPages({ root, ...settings });
  return {
    ...pages,
    check: async () => undefined,
    metrics: async () => "",
    worked: threadTime(),
  };
}

function endWhenUnavailable(backend: RunningBackend, folder: FolderWatch, dataDir: string): void {
  void folder.gone.then(async () => {
    if (ending) return;
    log(
      `The data folder ${dataDir} was deleted, moved or replaced while the ` +
        "workspace ran. Nothing has been saved since, and the workspace stops. " +
        "What was saved before is where that folder is now: move it back, or restore it from " +
        "a backup. What people wrote and was not saved waits in their browsers.",
      { level: "error" },
    );
    await end(1);
  });
  void backend.databaseLost.then(async () => {
    if (ending) return;
    log(
      "The connection to the database was lost, and another process has opened the database since. " +
        "Nothing that was saved is lost; this workspace stops.",
      { level: "error" },
    );
    await end(1);
  });
  void backend.databaseEnded.then(async () => {
    // If the folder was deleted, the database may end before the watch notices. In that case the
    // deletion is reported instead.
    if (!(await folder.holds())) return;
    log(
      "The database server has ended unexpectedly. Nothing that was saved is lost; start again.",
      { level: "error" },
    );
    await end(1);
  });
}

function embeddedRouter(
  backend: RunningBackend,
  pages: SeparatePages,
  folder: FolderWatch,
): Router {
  const data = async () => {
    if (!(await folder.holds())) throw new Error("The data folder is missing");
  };
  const answerPage = pagesInTurn(pages, backend.keys.jwtSecret, {
    main: backend.shares,
    pages: new ThreadShares(systemClock, pages.worked),
  });
  const checks = { ...backend.checks, data, pages: pages.check };
  return {
    readiness: readinessOf(checks, () => performance.now()),
    async request(incoming, outgoing, peer, isOwn) {
      const path = pathOf(incoming);
      if (isBackendPath(path)) return answerBackend(backend, peer, incoming, outgoing, isOwn);
      if (/^\/mail(\/|$)/.test(path) && !isOwn) return sendResponse(mailIsClosed(), outgoing);
      return answerPage(incoming, outgoing, peer);
    },
    async upgrade(incoming, socket, head, peer) {
      if (pathOf(incoming) === "/realtime/v1/websocket") {
        if (mayOpenSocket(backend.keys, incoming))
          return backend.openSocket(incoming, socket, head, peer);
        return refuseUpgrade(socket, "401 Unauthorized");
      }
      if (!pages.upgrade(incoming, socket, head)) refuseUpgrade(socket, "404 Not Found");
    },
  };
}

function addresses({ host, port }: Settings): string[] {
  if (!isEverywhere(host)) return [`http://${isLoopback(host) ? "localhost" : host}:${port}`];
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = own
    .filter((entry) => !entry.internal && entry.family === "IPv4")
    .map((entry) => entry.address);
  return ["localhost", ...outside].map((name) => `http://${name}:${port}`);
}

let starting: Promise<void> = Promise.resolve();
let ending: Promise<never> | null = null;

/** Stops everything in reverse order, and exits within 5 s. */
function end(code: number): Promise<never> {
  ending ??= (async () => {
    const patience = setTimeout(() => process.exit(code || 1), 4800);
    // Wait for a running start. If it were stopped midway, its database would be orphaned.
    await Promise.race([starting.catch(() => undefined), delay(4000)]);
    // The port closes first: clients get an error instead of waiting for a stopping database.
    const [port, ...rest] = undo;
    for (const { name, step } of [...(port ? [port] : []), ...rest.reverse()]) {
      const closed = step().catch((error: unknown) =>
        log(`Closing ${name} failed: ${explain(error)}`, { level: "error" }),
      );
      // Next may close slowly in development, but the database after it must still be stopped.
      await (name === "the backend" ? closed : Promise.race([closed, delay(800)]));
    }
    clearTimeout(patience);
    process.exit(code);
  })();
  return ending;
}

function endWithSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (!ending) log("Stopping");
      void end(0);
    });
  }
  process.on("uncaughtException", (error) => {
    if (isWriteToLostConnection(error)) return log(errorText(error), { level: "warn" });
    log(errorText(error), { level: "error" });
    void end(1);
  });
  process.on("unhandledRejection", (reason) => log(printedText(reason), { level: "error" }));
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\n${explain(error.cause)}`;
  return (process.env.DEBUG ? (error.stack ?? error.message) : error.message) + cause;
}
