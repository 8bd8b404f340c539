import type { Sql } from "postgres";
import { hearNotices } from "./database-notices";
import { type Clock, type Log } from "./realtime/clock";

/** Whether the sessions of access tokens still stand. */
export type LiveSessions = {
  /** Whether this one does; throws where the database cannot be asked. */
  holds(session: string): Promise<boolean>;
  /** Whether this one was heard to have ended: for whoever asked `holds` before it went on. */
  hasEnded(session: string): boolean;
  /** Calls back with every session that ends; answers how to stop. */
  onEnd(listener: (session: string) => void): () => void;
  /** Settles when every session that has ended is known to have. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/** How many sessions of either kind are remembered; of more, those that were first are asked for again. */
const most = 20_000;

/**
 * Knows which sessions stand: each is looked up once and from then on until the database says that it
 * has ended, so that a call costs no question. While the database cannot say so, each call asks.
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
  /** Those whose end may have been missed. */
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
      log(`sessions: cannot tell which have ended: ${String(error)}`, "error");
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
      log("sessions: lost the database; connecting again", "error");
    },
    failed: (error) => log(`sessions: still no database: ${String(error)}`, "error"),
    regained: () => void lookAgain(),
  });
  return {
    async holds(session) {
      if (standing.has(session)) return true;
      if (ended.has(session)) return false;
      // Begun before the question, so that an end during it is heard.
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
    // Whoever waits for it has ended a session already; what cannot be heard now is asked for at the next call.
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
