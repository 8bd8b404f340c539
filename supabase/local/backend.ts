import type { IncomingMessage } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import postgres from "postgres";
import { appendPath } from "./rest/append-path";
import { answerAuth } from "./auth/auth-calls";
import { authLimits } from "./auth/auth-limits";
import { authSessions } from "./auth/auth-sessions";
import {
  CallTurns,
  mostAppendCalls,
  mostAuthCalls,
  mostCalls,
  mostReads,
  mostOtherCalls,
} from "./http/call-turns";
import { noteRights, settleRights } from "./database/database-rights";
import { SharedBudget } from "./http/shared-budget";
import { ThreadShares } from "./http/thread-shares";
import { claimDatabase } from "./database/database-claim";
import { requireDirectConnection } from "./database/direct-connection";
import { emailChanges } from "./auth/email-change";
import { readProjectConfig } from "./config";
import { clusterOf } from "./process/data-folder";
import { serveFunctions } from "./functions";
import type { Backend } from "./gateway";
import { loadKeys } from "./keys";
import { startLite } from "./database/lite";
import { watchSessions } from "./auth/live-sessions";
import { addressed } from "./mail/mail-context";
import { readTemplates } from "./mail/mail-template";
import { openMailbox } from "./mail/mailbox";
import { applyMigrations, checkHistory } from "./database/migrations";
import { makeNobody } from "./nobody";
import { diskCheck } from "./operations/disk-check";
import { freeBytes } from "./operations/free-space";
import type { Log } from "./operations/log";
import type { Metrics, Sources } from "./operations/metrics";
import type { Check } from "./operations/readiness";
import { threadTime } from "./operations/thread-time";
import { writeProbe } from "./operations/write-probe";
import { mayLinkTo } from "./http/origin";
import { startPostgres } from "./database/postgres";
import { applyProjectSchema } from "./database/project-schema";
import { systemClock } from "./realtime/clock";
import { attachRealtime } from "./realtime/server";
import { answerRest } from "./rest/rest-calls";
import { reloadOnNotice } from "./database/schema-reload";
import { sessionClaims } from "./auth/session-claims";
import { ownAddress } from "./settings";
import type { Settings } from "./settings";
import { readableNames } from "./storage/caller-rows";
import { folderEntries } from "./storage/folder-listing";
import { answerStorage } from "./storage/storage-calls";
import { leastFree, UploadFloor } from "./storage/upload-floor";
import { adminUsers } from "./auth/admin-users";

export type RunningBackend = Backend & {
  openSocket(incoming: IncomingMessage, socket: Duplex, head: Buffer, peer: string): Promise<void>;
  /** Whether each part works, for `/ready`. */
  checks: Readonly<Record<"database" | "writes" | "disk" | "migrations" | "realtime", Check>>;
  /** The sources of `/metrics`. */
  sources: Sources;
  /** Returns the name of the database's current WAL file. */
  newestLog(): Promise<string>;
  /** Resolves if the embedded database ends unexpectedly. */
  databaseEnded: Promise<void>;
  /** Resolves if another process has claimed the database of DATABASE_URL. */
  databaseLost: Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts the database, migrates it and starts the parts of Supabase on top. The caller must hold
 * the data folder's lock. If `isEnding` becomes true during the start, everything started so far is
 * stopped and the call throws.
 */
export async function startBackend(
  settings: Settings,
  root: string,
  log: Log,
  metrics: Pick<Metrics, "append">,
  isEnding: () => boolean,
): Promise<RunningBackend> {
  const { dataDir, port } = settings;
  const readFolder = () =>
    Promise.all([loadKeys(dataDir), readProjectConfig(root), openMailbox(dataDir)]);
  // Publicly known keys must fail the start before a database is created with them. The database is
  // claimed before anything is written to it.
  const early = settings.databaseUrl === null ? await readFolder() : null;
  const database =
    settings.databaseUrl === null
      ? await openEmbedded(dataDir, log)
      : await openDatabase(settings.databaseUrl);
  let closing = false;
  const opened: (() => Promise<void>)[] = [() => database.stop()];
  const close = async () => {
    closing = true;
    for (const step of opened.reverse()) await step();
  };
  const goOn = () => {
    if (isEnding()) throw new Error("Asked to stop while starting");
  };
  try {
    goOn();
    const [keys, config, mailbox] = early ?? (await readFolder());
    const sql = postgres(database.url, { max: 2, idle_timeout: 60, onnotice: () => undefined });
    opened.push(() => sql.end({ timeout: 1 }));
    const migrations = await prepare(sql, log);
    goOn();
    const siteUrl = settings.siteUrl ?? `http://localhost:${port}`;
    const hosts = [...settings.allowedHosts, settings.host, "127.0.0.1", "localhost"];
    const redirectUrls = hosts.flatMap((host) => [
      `http://${host}:${port}/**`,
      `https://${host}/**`,
    ]);
    const nobody = await makeNobody(sql);
    const templates = await readTemplates(root, config);
    const outgoing = addressed(mailbox, { siteUrl, secret: keys.jwtSecret, nobody: nobody.email });
    const lite = await startLite({
      databaseUrl: database.url,
      dataDir,
      siteUrl,
      redirectUrls,
      keys,
      config,
      mailbox: outgoing,
    });
    opened.push(lite.close);
    await settleRights(sql);
    opened.push(await reloadOnNotice(database.url, lite.reload, log));
    const appends = appendPath({
      databaseUrl: database.url,
      rest: answerRest(lite.fetch, lite.jsonNames),
      counted: metrics.append,
    });
    opened.push(appends.close);
    const sessions = await watchSessions({
      databaseUrl: database.url,
      sql,
      clock: systemClock,
      log: (line, level) => log(line, level ? { level } : {}),
    });
    opened.push(sessions.close);
    const realtime = await attachRealtime({
      databaseUrl: database.url,
      jwtSecret: keys.jwtSecret,
      keys,
      sessions,
      log: (line, level) => log(line, { ...(level ? { level } : {}), part: "realtime" }),
      ...(settings.realtimePlan ? { plan: settings.realtimePlan } : {}),
    });
    opened.push(() => realtime.close());
    const address = ownAddress(settings);
    const environment = {
      SUPABASE_URL: address,
      SUPABASE_ANON_KEY: keys.publishableKey,
      SUPABASE_SERVICE_ROLE_KEY: keys.secretKey,
      SITE_URL: siteUrl,
      // Functions post `{ to, subject, html }` here, with the secret key as bearer token. On a
      // hosted project, this is a mail provider.
      MAIL_URL: `${address}/mail/messages.json`,
      MAIL_KEY: keys.secretKey,
    };
    const functions = serveFunctions(root, environment, config.functions);
    const floor = new UploadFloor({
      free: () => freeBytes(dataDir),
      now: Date.now,
      onChange: (hasRoom, free) =>
        log(roomChanged(hasRoom, free), { level: hasRoom ? "info" : "error" }),
    });
    await floor.hasRoom();
    const bodies = new SharedBudget({ perKey: 32 * 1024 * 1024, overall: 256 * 1024 * 1024 });
    const shares = new ThreadShares(systemClock, threadTime());
    const [calls, logCalls] = [new CallTurns(mostCalls), new CallTurns(mostReads)];
    const appendCalls = new CallTurns(mostAppendCalls);
    const [authCalls, otherCalls] = [new CallTurns(mostAuthCalls), new CallTurns(mostOtherCalls)];
    // Runs statements with the caller's rights, and the same timeout as for REST (in ms).
    const objects = postgres(database.url, {
      max: 3,
      idle_timeout: 60,
      onnotice: () => undefined,
      connection: { statement_timeout: 8000 },
    });
    opened.push(() => objects.end({ timeout: 0.5 }));
    const writes = writeProbe(database.url, () => performance.now());
    opened.push(writes.close);
    // The cluster and its WAL may be on separate disks.
    const cluster = clusterOf(dataDir);
    const disks = settings.databaseUrl === null ? [cluster, join(cluster, "pg_wal")] : [];
    return {
      keys,
      mailbox,
      bodies,
      shares,
      sessions,
      calls,
      logCalls,
      appendCalls,
      authCalls,
      otherCalls,
      checks: {
        database: async () => void (await sql`select 1`),
        writes: writes.check,
        disk: diskCheck([dataDir, ...disks]),
        async migrations() {
          const applied = await checkHistory(sql);
          if (applied.size !== migrations) throw new Error("A migration is missing");
        },
        async realtime() {
          if (!realtime.isListening())
            throw new Error("Realtime has no connection to the database");
        },
      },
      sources: {
        connections: () => realtime.count().connections,
        channels: () => realtime.count().channels,
        bodiesWaiting: () => bodies.waiting,
        callsWaiting: () => ({
          data: calls.waiting,
          log: logCalls.waiting,
          append: appendCalls.waiting + appends.waiting,
          auth: authCalls.waiting,
          other: otherCalls.waiting,
          thread: shares.waiting,
        }),
        freeBytes: () => freeBytes(dataDir),
      },
      rest: appends.answer,
      storage: answerStorage({
        lite: lite.fetch,
        jwtSecret: keys.jwtSecret,
        readable: readableNames(objects),
        entries: folderEntries(objects),
        async limitOf(bucket) {
          const [row] = await sql<{ most: string | null }[]>`
            select file_size_limit as most from storage.buckets where id = ${bucket}`;
          return row?.most == null ? null : Number(row.most);
        },
        uploads: {
          hasRoom: () => floor.hasRoom(),
          async takeAddress(name, address) {
            const [row] = await sql<{ most: string | null }[]>`
              select public.take_address(${name}, ${address}) as most`;
            return row?.most == null ? null : Number(row.most);
          },
        },
      }),
      auth: answerAuth({
        lite: lite.fetch,
        limits: authLimits(config.auth.rate_limit, settings.authRateLimit, Date.now),
        sessions: authSessions(sql, keys.jwtSecret),
        adminUsers: adminUsers(sql),
        endsAreKnown: sessions.caughtUp,
        withClaims: sessionClaims({
          sql,
          jwtSecret: keys.jwtSecret,
          issuer: `${siteUrl}/auth/v1`,
        }),
        nobody,
        changes: emailChanges({
          sql,
          mailbox: outgoing,
          siteUrl,
          templates,
          expiry: config.auth.email.otp_expiry,
        }),
        mailbox: outgoing,
        existingAccount: templates.existingAccount,
        mailUrl: siteUrl,
        jwtSecret: keys.jwtSecret,
        signUpIsOpen: config.auth.enable_signup && config.auth.email.enable_signup,
        demoIsOpen: settings.demo,
        codeLength: config.auth.email.otp_length,
        siteUrl: settings.siteUrl,
        ownUrl: siteUrl,
        mayLinkTo: (host) =>
          mayLinkTo(
            host,
            [settings.host, hostname(), `${hostname()}.local`, ...settings.allowedHosts],
            addresses(),
            port,
          ),
      }),
      functions: async (call, request) => functions(call, request),
      realtime: ({ caller }, request) => realtime.handleRequest(request, caller),
      openSocket: async (incoming, socket, head, peer) =>
        realtime.handleUpgrade(incoming, socket, head, peer),
      newestLog: async () => {
        const [row] = await sql<
          { name: string }[]
        >`select pg_walfile_name(pg_current_wal_insert_lsn()) as name`;
        return row?.name ?? "";
      },
      databaseEnded: database.exited.then(() =>
        closing ? new Promise<void>(() => undefined) : undefined,
      ),
      databaseLost: database.lost,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the embedded server. The database is claimed, since another process may use its address as
 * DATABASE_URL.
 */
async function openEmbedded(dataDir: string, log: Log) {
  const server = await startPostgres({ directory: join(dataDir, "postgres"), log });
  try {
    const claim = await claimDatabase(server.url, systemClock);
    return {
      ...server,
      lost: claim.lost,
      async stop() {
        await claim.release();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Opens an external server, which this process claims before it changes anything there. */
async function openDatabase(url: string) {
  await requireDirectConnection(url, systemClock);
  const claim = await claimDatabase(url, systemClock);
  return {
    url,
    exited: new Promise<null>(() => undefined),
    lost: claim.lost,
    stop: claim.release,
  };
}

function addresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
}

/** Returns the log line for a change of disk space; `free` is in bytes. */
const roomChanged = (hasRoom: boolean, free: number) =>
  hasRoom
    ? "The disk has free space again: uploads are accepted."
    : `The disk has ${Math.floor(free / 2 ** 20)} MB left: uploads are refused below ${leastFree / 2 ** 20} MB.`;

/** Migrates the database, and returns the number of its migrations. */
async function prepare(sql: postgres.Sql, log: Log): Promise<number> {
  await checkHistory(sql);
  // Completes an interrupted start.
  await settleRights(sql);
  await applyProjectSchema(sql);
  const applied = await applyMigrations(sql);
  if (applied.length > 0)
    log(`Applied ${applied.length} ${applied.length === 1 ? "migration" : "migrations"}`);
  await noteRights(sql);
  return (await checkHistory(sql)).size;
}
