import postgres from "postgres";
import type { Sql } from "postgres";
import type { Clock } from "../realtime/clock";

/** The advisory lock that a process holds on its open database. */
const lock = "1885432432, 1886153580";
const firstRest = 100;
const longestRest = 2_000;
/** How often a start retries: the session of a killed process may end with a delay. */
const attempts = 25;

type DatabaseClaim = {
  /** Resolves when another process has claimed the database, possibly after a lost connection. */
  lost: Promise<void>;
  release(): Promise<void>;
};

/** Thrown if another process has the database open. */
class DatabaseInUse extends Error {
  constructor(holder: string) {
    super(
      `Another process has the database of DATABASE_URL open (${holder}). Stop it first; two ` +
        "processes would each do the other's work. Nothing was changed.",
    );
  }
}

/**
 * Claims a database for this process with a session-level advisory lock, before anything is read or
 * written there. Throws DatabaseInUse if another process holds the lock. Reconnects after a lost
 * connection, and claims the database again.
 */
export async function claimDatabase(
  databaseUrl: string,
  clock: Pick<Clock, "after">,
): Promise<DatabaseClaim> {
  let [isClosed, isHeld, ownPid] = [false, false, 0];
  let cancelRetry = () => {};
  let lose = () => {};
  const lost = new Promise<void>((settle) => (lose = settle));
  const sql = postgres(databaseUrl, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: `palimpsest ${process.pid}` },
    onclose: () => {
      if (isClosed || !isHeld) return;
      isHeld = false;
      claimAgain(firstRest);
    },
  });

  async function take(): Promise<boolean> {
    const [row] = await sql.unsafe(
      `select pg_try_advisory_lock(${lock}) as taken, pg_backend_pid() as pid`,
    );
    isHeld = row?.taken === true;
    if (isHeld) ownPid = Number(row?.pid);
    return isHeld;
  }

  function claimAgain(rest: number): void {
    cancelRetry = clock.after(rest, () => {
      retake().then(
        (taken) => {
          if (!taken && !isClosed) lose();
        },
        () => {
          if (!isClosed) claimAgain(Math.min(rest * 2, longestRest));
        },
      );
    });
  }

  /** Takes the lock, and ends this process's previous session if the server still has it. */
  async function retake(): Promise<boolean> {
    if (await take()) return true;
    await sql.unsafe(
      `select pg_terminate_backend(pid, 1000) from (${holders}) h where pid = ${ownPid}`,
    );
    return take();
  }

  try {
    for (let attempt = 1; !(await take()); attempt += 1) {
      if (attempt === attempts) throw new DatabaseInUse(await holderOf(sql));
      await new Promise<void>((settle) => clock.after(200, settle));
    }
  } catch (error) {
    isClosed = true;
    await sql.end({ timeout: 1 });
    throw error;
  }
  return {
    lost,
    async release() {
      isClosed = true;
      cancelRetry();
      await sql.end({ timeout: 1 });
    },
  };
}

const [classId, objectId] = lock.split(", ");
const holders = `
  select l.pid from pg_locks l where l.locktype = 'advisory' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ${classId} and l.objid = ${objectId} and l.objsubid = 2`;

async function holderOf(sql: Sql): Promise<string> {
  const [row] = await sql.unsafe<{ name: string; address: string | null; since: string | null }[]>(`
    select a.application_name as name, host(a.client_addr) as address,
      to_char(a.backend_start, 'YYYY-MM-DD HH24:MI TZ') as since
    from pg_stat_activity a where a.pid in (${holders})`);
  if (!row) return "it has just ended";
  return [row.name, row.address && `from ${row.address}`, row.since && `since ${row.since}`]
    .filter(Boolean)
    .join(" ");
}
