import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import type { Sql, TransactionSql } from "postgres";
import { parseRow, parseRuling, toWire } from "@/events/core/envelope";
import type { RawProposal, Ruled, Ruling } from "@/events/core/envelope";
import { parseRefusal } from "@/events/log/refusal";
import type { Refusal } from "@/events/log/refusal";
import { applyMigrations } from "@/supabase/local/database/migrations";
import { startPostgres } from "@/supabase/local/database/postgres";
import { applyProjectSchema } from "@/supabase/local/database/project-schema";

export type User = { id: string; name: string; email: string };
export type Answer = { ok: true; rulings: Ruling[] } | { ok: false; refusal: Refusal };
/** An event as a test writes it: the id is optional, the update may be random. */
export type NewProposal = Omit<RawProposal, "id"> & { id?: string };

export type TestDatabase = {
  /** The superuser's connections. */
  sql: Sql;
  url: string;
  newUser(name: string): User;
  /**
   * Runs one transaction with this person's rights, as PostgREST does. Null stands for a visitor
   * without a session.
   */
  as<T>(user: User | null, work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  append(
    user: User | null,
    stream: string,
    expected: number | null,
    events: NewProposal[],
  ): Promise<Answer>;
  read(user: User | null, stream: string, after?: number): Promise<Ruled[]>;
  stop(): Promise<void>;
};

const speed = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "60",
};

/** Converts a database refusal into an answer; throws every other error. */
export async function answered<T>(
  work: Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; refusal: Refusal }> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    const refusal = parseRefusal({
      message: error.message,
      details: error.detail ?? null,
      hint: error.hint ?? null,
    });
    if (!refusal) throw error;
    return { ok: false, refusal };
  }
}

/**
 * Names the environment variable with the folder that every test database of a run is copied from.
 */
const template = "DATABASE_TEMPLATE";

async function started(directory: string, isReady: boolean) {
  const server = await startPostgres({ directory, log: () => undefined, settings: speed });
  const sql = postgres(server.url, { max: 30, onnotice: () => undefined });
  if (!isReady) {
    await applyProjectSchema(sql);
    await applyMigrations(sql);
  }
  return { server, sql };
}

/** Creates the database that a run's test databases copy. Returns a function that removes it. */
export async function makeTemplate(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "palimpsest-template-"));
  const { server, sql } = await started(directory, false);
  await sql.end();
  await server.stop();
  process.env[template] = directory;
  return () => rm(directory, { recursive: true, force: true });
}

/**
 * Starts a throw-away PostgreSQL with everything a Supabase project has and all migrations. Stop
 * the database in afterAll.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), "palimpsest-sql-"));
  const ready = process.env[template];
  // Copied with its owners, which is much faster than creating the database.
  if (ready !== undefined) await promisify(execFile)("cp", ["-a", `${ready}/.`, directory]);
  const { server, sql } = await started(directory, ready !== undefined);

  const as: TestDatabase["as"] = async (user, work) => {
    const role = user ? "authenticated" : "anon";
    const claims = JSON.stringify(user ? { sub: user.id, role, email: user.email } : { role });
    const holder: { value?: Awaited<ReturnType<typeof work>> } = {};
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`set local role ${role}`);
      await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
      holder.value = await work(transaction);
    });
    // The transaction has committed, so `work` has returned.
    return holder.value as Awaited<ReturnType<typeof work>>;
  };

  return {
    sql,
    url: server.url,
    as,
    newUser: (name) => {
      const id = randomUUID();
      return { id, name, email: `${name.toLowerCase()}-${id.slice(0, 8)}@example.com` };
    },
    async append(user, stream, expected, events) {
      const wire = JSON.stringify(
        events.map((event) => toWire({ ...event, id: event.id ?? randomUUID() })),
      );
      const answer = await answered(
        as(
          user,
          (t) => t`select append_events(${stream}, ${expected}, ${wire}::text::jsonb) as answer`,
        ),
      );
      if (!answer.ok) return answer;
      const rulings: unknown = answer.value[0]?.answer;
      if (!Array.isArray(rulings)) throw new Error("append_events did not answer with a list");
      return { ok: true, rulings: rulings.map(parseRuling) };
    },
    async read(user, stream, after = 0) {
      const [row] = await as(user, (t) => t`select read_events(${stream}, ${after}, null) as rows`);
      const rows: unknown = row?.rows;
      if (!Array.isArray(rows)) throw new Error("read_events did not answer with a list");
      return rows.map(parseRow);
    },
    async stop() {
      await sql.end();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Returns a refusal's name, or `ok`. */
export function verdict(answer: { ok: true } | { ok: false; refusal: Refusal }): string {
  return answer.ok ? "ok" : answer.refusal.name;
}
