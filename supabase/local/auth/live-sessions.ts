import type { Sql } from "postgres";
import { hearNotices } from "../database/database-notices";
import type { Clock, Log } from "../realtime/clock";

/** Whether the sessions of access tokens are still valid. */
export type LiveSessions = {
  /** Whether a session is valid. Throws if the database cannot be reached. */
  holds(session: string): Promise<boolean>;
  /** Whether a session is known to have ended. For callers that have already checked `holds`. */
  hasEnded(session: string): boolean;
  /** Subscribes to sessions that end, and returns a function that unsubscribes. */
  onEnd(listener: (session: string) => void): () => void;
  /** Resolves when all ended sessions are known. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/** The number of valid and ended sessions in the cache. The oldest are evicted. */
const most = 20_000;

/**
 * Tracks which sessions are valid. Each session is looked up once and cached until the database
 * reports its end, so that calls need no query. Without a connection for notifications, every call
 * queries.
 */
export async function watchSessions(options: {
  databaseUrl: string;
  sql: Sql;
  clock: Clock;
  log: Log;
}): Promise<LiveSessions> {
  const { databaseUrl, sql, clock, log } = options;
  const standing = new Set<string>();
  const ended = new Set<string>();
  const listeners = new Set<(session: string) => void>();
  const end = (session: string) => {
    standing.delete(session);
    remember(ended, session);
    for (const tell of listeners) tell(session);
  };
  /** Cached sessions whose end may have been missed. */
  let unsure: string[] = [];
  let closed = false;
  async function lookAgain(): Promise<void> {
    const sessions = unsure;
    try {
      const rows = await sql<{ id: string }[]>`
        select id from auth.sessions where id = any(${sessions}::uuid[])`;
      const there = new Set(rows.map(({ id }) => id));
      unsure = unsure.filter((session) => !sessions.includes(session));
      for (const session of sessions) if (!there.has(session)) end(session);
    } catch (error) {
      if (closed) return;
      log(`sessions: could not query ended sessions: ${String(error)}`, "error");
      clock.after(1000, () => void lookAgain());
    }
  }
  const listener = await hearNotices({
    databaseUrl,
    channel: "auth_session_ended",
    clock,
    heard: end,
    lost() {
      unsure = [...new Set([...unsure, ...standing])];
      standing.clear();
      log("sessions: lost the database connection; reconnecting", "error");
    },
    failed: (error) =>
      log(`sessions: could not reconnect to the database: ${String(error)}`, "error"),
    regained: () => void lookAgain(),
  });
  return {
    async holds(session) {
      if (standing.has(session)) return true;
      if (ended.has(session)) return false;
      // Read before the query, so that a session's end during the query is received.
      const isHeard = listener.isListening();
      const [row] = await sql`
        select from auth.sessions where id = ${session} and (not_after is null or not_after > now())`;
      if (row === undefined || ended.has(session)) return false;
      if (isHeard && listener.isListening()) remember(standing, session);
      return true;
    },
    hasEnded: (session) => ended.has(session),
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // The session has already ended. If the connection is down, it is checked later.
    caughtUp: () => listener.caughtUp().catch(() => undefined),
    async close() {
      closed = true;
      await listener.close();
    },
  };
}

function remember(set: Set<string>, session: string): void {
  for (const first of set) {
    if (set.size < most) break;
    set.delete(first);
  }
  set.add(session);
}
