import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyMigrations, releaseVersions } from "@/supabase/local/database/migrations";
import { hostedDatabase } from "./hosted-database";
import type { HostedDatabase } from "./hosted-database";

let db: HostedDatabase;
let admin: Sql;
let owner: Sql;

beforeAll(async () => {
  db = await hostedDatabase();
  ({ admin, owner } = db);
});
afterAll(() => db.stop());

it("[LOG-13] the migrations need no superuser, and guard the log without one", async () => {
  expect((await applyMigrations(owner)).length).toBeGreaterThan(10);
  const user = randomUUID();
  const workspace = randomUUID();
  await owner.begin(async (sql) => {
    await sql`set local role authenticated`;
    await sql`select set_config('request.jwt.claims',
      ${JSON.stringify({ sub: user, role: "authenticated", email: "ana@example.com" })}, true)`;
    const events = JSON.stringify([
      { id: randomUUID(), type: "workspace.created", body: '{"name":"W"}' },
    ]);
    await sql`select append_events(${workspace}, 0, ${events}::text::jsonb)`;
    const [row] =
      await sql`select stream_topic(${workspace}) as topic, (select role from members where
        workspace_id = ${workspace}) as role`;
    expect(row).toEqual({ topic: `workspace:${workspace}:0`, role: "owner" });
  });
  const [sent] =
    await admin`select count(*)::int as messages from realtime.messages where event = 'log'`;
  expect(sent?.messages).toBe(1);
  for (const text of [
    "delete from events",
    "truncate events cascade",
    `update events set type = 'x'`,
  ])
    await expect(owner.unsafe(text)).rejects.toThrow("append-only");
});

it("[OPS-2] anon learns which migrations are missing, and reads no table", async () => {
  const versions = await releaseVersions();
  await owner.begin(async (sql) => {
    await sql`set local role anon`;
    const [row] =
      await sql`select missing_migrations(${[...versions, "99990101000000"]}) as missing`;
    expect(row?.missing).toEqual(["99990101000000"]);
  });
  const asAnon = owner.begin(async (sql) => {
    await sql`set local role anon`;
    await sql`select id from workspaces limit 0`;
  });
  await expect(asAnon).rejects.toThrow("permission denied");
});

it("[ACC-14] a person reads and ends their own sessions in a table of the auth service", async () => {
  const [user, here, there] = [randomUUID(), randomUUID(), randomUUID()];
  await admin`insert into auth.users (id) values (${user})`;
  for (const id of [here, there])
    await admin`insert into auth.sessions (id, user_id, created_at) values (${id}, ${user}, now())`;
  await owner.begin(async (sql) => {
    await sql`set local role authenticated`;
    await sql`select set_config('request.jwt.claims',
      ${JSON.stringify({ sub: user, role: "authenticated", session_id: here })}, true)`;
    const [row] = await sql`select end_session(${there}) as ended`;
    expect(row?.ended).toBe(true);
    const [rest] = await sql`select jsonb_array_length(read_sessions()) as count`;
    expect(rest?.count).toBe(1);
  });
  expect([...(await admin`select id from auth.sessions`)]).toEqual([{ id: here }]);
});

it("[ACC-42] a deleted account leaves its user to the auth service", async () => {
  const [user, session, workspace] = [randomUUID(), randomUUID(), randomUUID()];
  const email = "ben@example.com";
  await admin`insert into auth.users (id, email) values (${user}, ${email})`;
  await admin`
    insert into auth.sessions (id, user_id, created_at) values (${session}, ${user}, now())`;
  await owner.begin(async (sql) => {
    await sql`set local role authenticated`;
    await sql`select set_config('request.jwt.claims',
      ${JSON.stringify({ sub: user, role: "authenticated", email })}, true)`;
    const events = JSON.stringify([
      { id: randomUUID(), type: "workspace.created", body: '{"name":"W"}' },
    ]);
    await sql`select append_events(${workspace}, 0, ${events}::text::jsonb)`;
    const [row] = await sql`select delete_account(${email}) as ending`;
    expect(row?.ending).toEqual({ deleted: true, left: 0 });
  });
  expect([...(await admin`select id from auth.sessions where user_id = ${user}`)]).toEqual([]);
  expect([...(await admin`select id from auth.users where id = ${user}`)]).toEqual([{ id: user }]);
  const [waiting] = await admin`select user_id from private.deleted_accounts`;
  expect(waiting?.user_id).toBe(user);
});

const statisticsOff = "supabase/migrations/20261128195017_no_statistics.sql";

it("[API-10] earlier statistics are deleted, or reduced to one value without a superuser", async () => {
  const [workspace, user] = [randomUUID(), randomUUID()];
  await admin.begin(async (sql) => {
    // These rows have no valid keys, because the test is about the planner's statistics.
    await sql`set local session_replication_role = replica`;
    await sql`set local role postgres`;
    await sql`
      insert into public.documents (id, workspace_id, title, phase, version, created_by, created_at,
      updated_by, updated_at, edits)
      select gen_random_uuid(), ${workspace}, 'Secret ' || n, 'active', 1, ${user}, now(), ${user},
        now(), 0 from generate_series(1, 500) n`;
  });
  const gather = async () => {
    for (const column of ["id", "title", "workspace_id"])
      await owner.unsafe(`alter table public.documents alter column ${column} set statistics 100`);
    await owner.unsafe("analyze public.documents");
  };
  const known = () => admin`
    select attname, coalesce(array_length(most_common_vals::text::text[], 1), 0) +
      coalesce(array_length(histogram_bounds::text::text[], 1), 0) as count
    from pg_stats where schemaname = 'public' and tablename = 'documents' order by 1`;
  await gather();
  expect([...(await known())].map(({ count }) => Number(count) > 0)).toEqual([true, true, true]);
  expect(Number((await known())[1]?.count)).toBeGreaterThan(50);
  await owner.unsafe(await readFile(statisticsOff, "utf8"));
  expect([...(await known())].every(({ count }) => Number(count) <= 2)).toBe(true);
  await owner.unsafe("analyze public.documents");
  expect([...(await known())].every(({ count }) => Number(count) <= 2)).toBe(true);
  await gather();
  // The embedded backend's own role may drop all of the statistics.
  await admin.unsafe(
    (await readFile(statisticsOff, "utf8")).replace(
      "pg_catalog.pg_get_userbyid(c.relowner) = current_user",
      "true",
    ),
  );
  expect([...(await known())]).toEqual([]);
});
