import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import {
  granted,
  invite,
  join,
  newDocument,
  newWorkspace,
} from "@/tests/support/writers/workspaces";

const { PostgresError } = postgres;

let db: TestDatabase;
let people: Record<string, User | null>;
let document: string;
let tables: string[];

const log = ["events", "event_payloads"];
const caches = ["snapshots", "segments"];
const apiRoles = [
  "anon",
  "owner",
  "editor",
  "viewer",
  "removed member",
  "stranger",
  "service_role",
];
const verbs = ["select", "insert", "update", "delete", "truncate"] as const;
type Verb = (typeof verbs)[number];

beforeAll(async () => {
  db = await testDatabase();
  const [ana, ben, carol, dora, mallory] = ["Ana", "Ben", "Carol", "Dora", "Mallory"].map((name) =>
    db.newUser(name),
  ) as [User, User, User, User, User];
  for (const user of [ana, ben])
    granted(await db.append(user, user.id, 0, [{ type: "account.created", body: {} }]));
  const workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
  await join(db, ana, workspace, carol, "viewer");
  await join(db, ana, workspace, dora, "editor");
  await invite(db, ana, workspace);
  document = await newDocument(db, ana, workspace);
  granted(
    await db.append(ana, document, 1, [
      {
        type: "version.named",
        subject: { kind: "version", id: randomUUID() },
        body: { at: 1, name: "First" },
      },
    ]),
  );
  const thread = randomUUID();
  granted(
    await db.append(ben, document, null, [
      {
        type: "thread.opened",
        subject: { kind: "thread", id: thread },
        body: { start: "AA==", end: "AA==", quote: "Words" },
      },
      {
        type: "comment.added",
        subject: { kind: "comment", id: randomUUID() },
        body: { thread, text: "Which?" },
      },
    ]),
  );
  granted(
    await db.append(ana, document, 4, [
      { type: "document.edited", body: {}, update: Uint8Array.of(0, 0) },
    ]),
  );
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: dora.id }, body: {} },
    ]),
  );
  await db.sql`select write_snapshot(${document}, 1, 'AAA=')`;
  const [head] = await db.sql<
    { hash: string }[]
  >`select encode(hash, 'hex') as hash from events where stream_id = ${document} and version = 1`;
  await db.sql`select write_segment(${document}, 1, 1, 1, 1, 1, ${head?.hash ?? ""}, 'AAA=')`;
  const at = "2026-01-02T03:04:05Z";
  const line = {
    actor: ana.id,
    from: 1,
    to: 1,
    began: at,
    at,
    added: 1,
    removed: 0,
    changes: 1,
    parts: [],
  };
  await db.sql`select write_lines(${document}, 0, 1, ${head?.hash ?? ""}, ${db.sql.json([line])})`;
  for (const user of [ana, ben, carol])
    await db.as(
      user,
      (sql) => sql`select mark_seen(${document}, 1), set_favourite(${document}, true)`,
    );
  people = {
    anon: null,
    owner: ana,
    editor: ben,
    viewer: carol,
    "removed member": dora,
    stranger: mallory,
  };
  // Acts like a backend that grants everything on every table at each start.
  await db.sql`grant all on all tables in schema public to anon, authenticated, service_role`;
  const rows = await db.sql<{ name: string }[]>`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and
      c.relkind in ('r', 'p') order by 1`;
  tables = rows.map(({ name }) => name);
});
afterAll(() => db.stop());

/** Returns everything stored as one text: the state that no attempt may change. */
async function state(): Promise<string> {
  const contents = await Promise.all(
    tables.map(
      (table) =>
        db.sql`select ${table} as t, to_jsonb(x) as x from ${db.sql(table)} x order by to_jsonb(x)::text`,
    ),
  );
  return JSON.stringify(contents);
}

/** Builds a statement with this verb from the catalogue, which would touch every permitted row. */
async function statement(table: string, verb: Verb): Promise<string> {
  const columns = await db.sql<{ name: string; type: string }[]>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`;
  const [first] = columns;
  if (!first) throw new Error(`${table} has no column`);
  const last = columns.at(-1) ?? first;
  // A copy of an existing row with a new key, which is as close to legal as possible.
  const copied = columns.map(({ name, type }, index) =>
    index === 0 && type === "uuid" ? "gen_random_uuid()" : `"${name}"`,
  );
  return {
    select: `select * from public.${table}`,
    insert: `insert into public.${table} select ${copied.join(", ")} from public.${table}_seen`,
    update: `update public.${table} set "${last.name}" = "${last.name}", "${first.name}" =
      ${first.type === "uuid" ? "gen_random_uuid()" : `"${first.name}"`}`,
    delete: `delete from public.${table}`,
    truncate: `truncate public.${table} cascade`,
  }[verb];
}

/**
 * Runs a statement as a role and commits. Returns the number of rows touched, or 'refused' if a
 * privilege is missing.
 */
async function attempt(role: string, text: string): Promise<number | "refused"> {
  try {
    if (role in people)
      return await db.as(people[role] ?? null, async (sql) => (await sql.unsafe(text)).count);
    let count = 0;
    await db.sql.begin(async (sql) => {
      if (role === "replica") await sql.unsafe("set local session_replication_role = replica");
      if (role === "service_role") {
        await sql.unsafe("set local role service_role");
        await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`;
      }
      count = (await sql.unsafe(text)).count;
    });
    return count;
  } catch (error) {
    // Any other error, such as a misspelt statement, would make the test pass for the wrong reason.
    if (error instanceof PostgresError && error.code === "42501") return "refused";
    throw error;
  }
}

describe("the tables of the log", () => {
  it("[LOG-13] stay unchanged by any role, even with every grant", async () => {
    for (const table of tables)
      await db.sql.unsafe(
        `create view public.${table}_seen as select * from public.${table}; grant select on
          public.${table}_seen to anon, authenticated, service_role`,
      );
    const before = await state();
    let refused = 0;
    for (const table of tables)
      for (const role of apiRoles)
        for (const verb of verbs) {
          if (verb === "select") continue;
          const text = await statement(table, verb);
          const answer = await attempt(role, text);
          expect({ table, role, verb, answer }).toEqual({ table, role, verb, answer: "refused" });
          refused += 1;
        }
    expect(refused).toBe(tables.length * apiRoles.length * 4);
    expect(await state()).toBe(before);
    for (const table of tables) await db.sql.unsafe(`drop view public.${table}_seen`);
  });

  it("[LOG-13] are readable by members alone", async () => {
    const seen: Record<string, Record<string, boolean>> = {};
    for (const role of apiRoles.slice(0, -1))
      seen[role] = Object.fromEntries(
        await Promise.all(
          tables.map(async (table) => [
            table,
            (await attempt(role, `select * from public.${table}`)) !== 0,
          ]),
        ),
      );
    const all = Object.fromEntries(tables.map((table) => [table, true]));
    const none = Object.fromEntries(tables.map((table) => [table, false]));
    expect(seen).toEqual({
      anon: none,
      owner: all,
      editor: all,
      viewer: all,
      "removed member": none,
      stranger: none,
    });
  });

  it.each(["table owner", "replica"])("[LOG-13] refuse changes to the %s", async (role) => {
    const before = await state();
    for (const table of log)
      for (const verb of ["update", "delete", "truncate"] as const) {
        const text = await statement(table, verb);
        expect(await attempt(role, text)).toBe("refused");
      }
    expect(await state()).toBe(before);
  });

  const next = () => ({
    id: "gen_random_uuid()",
    stream_id: "stream_id",
    stream_kind: "stream_kind",
    workspace_id: "workspace_id",
    version: "version + 1",
    position: "(select position + 1 from private.feeds f where f.workspace_id = e.workspace_id)",
    type: `'document.renamed'`,
    subject_kind: "subject_kind",
    subject_id: "subject_id",
    from_phase: `'live'`,
    to_phase: `'live'`,
    schema: "1",
    actor_id: `'${people.owner?.id}'`,
    client_ids: "null",
    client_time: "recorded_at",
    recorded_at: `recorded_at + interval '1 second'`,
    payload_hash: `sha256('x')`,
    hash: "private.event_hash(previous, r)",
  });
  type Row = ReturnType<typeof next>;
  const columns = () => Object.keys(next()).filter((column) => column !== "hash");

  /** Adds two changed rows to the document as the table owner, and returns the error. */
  async function reason(
    change: Partial<Row>,
    more: { second?: Partial<Row>; actor?: string | null; then?: string } = {},
  ) {
    let message = "";
    const [first, second] = [
      { ...next(), ...change },
      { ...next(), ...more.second },
    ];
    const linked = (row: Row, before: string) => `
      select (jsonb_populate_record(r, jsonb_build_object('hash', ${row.hash}))).*
      from (
        select jsonb_populate_record(null::public.events, to_jsonb(columns)) as r, previous
        from (select ${columns()
          .map((column) => `${row[column as keyof Row]} as ${column}`)
          .join(", ")}, e.hash as previous from ${before} e) as columns
      ) as row`;
    const position = { position: more.second?.position ?? "position + 1" };
    const text = `
      with last as (select * from public.events where stream_id = '${document}' order by version desc limit 1),
        first as (${linked(first, "last")}),
        second as (${linked({ ...second, ...position }, "first")})
      insert into public.events select * from first ${more.second ? "union all select * from second" : ""}`;
    await db.sql
      .begin(async (sql) => {
        const actor = more.actor === undefined ? people.owner?.id : more.actor;
        await sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: actor })}, true)`;
        await sql.unsafe(text);
        if (more.then) await sql.unsafe(more.then);
        throw new Error("taken");
      })
      .catch((error: Error) => (message = error.message));
    return message;
  }

  it("[LOG-13] refuse a table owner's row with a wrong law, version, time, identity or hash", async () => {
    const before = await state();
    expect(await reason({})).toBe("taken");
    expect(await reason({ type: `'document.restored'` })).toMatch(/events_obey_the_law/);
    expect(await reason({ to_phase: `'trashed'` })).toMatch(/events_obey_the_law/);
    expect(await reason({ from_phase: `'trashed'`, type: `'document.restored'` })).toMatch(
      /continue its stream/,
    );
    expect(await reason({ version: "version" })).toMatch(/events_stream_id_version_key/);
    expect(await reason({ version: "version + 2" })).toMatch(/continue its stream/);
    expect(await reason({ recorded_at: "recorded_at" })).toMatch(/continue its stream/);
    expect(await reason({ actor_id: `'${randomUUID()}'` })).toMatch(/continue its stream/);
    expect(await reason({}, { actor: null })).toMatch(/continue its stream/);
    expect(await reason({ position: "1000000" })).toMatch(/continue its workspace/);
    expect(await reason({ hash: `sha256('forged')` })).toMatch(/continue the chain/);
    expect(await state()).toBe(before);
  });

  it("[LOG-13] refuse several rows of the table owner if one is wrong", async () => {
    const before = await state();
    const second = (change: Partial<Row>) => reason({}, { second: change });
    expect(await second({})).toBe("taken");
    expect(await reason({ hash: `sha256('forged')` }, { second: {} })).toMatch(
      /continue the chain/,
    );
    expect(await second({ from_phase: `'trashed'`, type: `'document.restored'` })).toMatch(
      /continue its stream/,
    );
    expect(await second({ version: "version + 2" })).toMatch(/continue its stream/);
    expect(await second({ recorded_at: "recorded_at" })).toMatch(/continue its stream/);
    expect(await second({ actor_id: `'${randomUUID()}'` })).toMatch(/continue its stream/);
    expect(await second({ position: "position + 2" })).toMatch(/continue its workspace/);
    expect(await second({ hash: `sha256('forged')` })).toMatch(/continue the chain/);
    const trashed = { type: `'document.trashed'`, to_phase: `'trashed'` };
    expect(await reason(trashed, { second: {} })).toMatch(/continue its stream/);
    const restored = { type: `'document.restored'`, from_phase: `'trashed'` };
    expect(await reason(trashed, { second: restored })).toBe("taken");
    expect(await state()).toBe(before);
  });

  it("[LOG-13] refuse a payload whose event did not commit to it or already has one", async () => {
    const before = await state();
    const payload = (rows: string) =>
      `insert into public.event_payloads (event_id, salt, body) select id, decode(repeat('00', 16),
        'hex'), '{}' from public.events ${rows}`;
    const then = payload(
      "e where not exists (select from public.event_payloads p where p.event_id = e.id)",
    );
    expect(await reason({}, { then })).toMatch(/committed to/);
    const right = {
      payload_hash: `private.payload_hash(decode(repeat('00', 16), 'hex'), '{}', null)`,
    };
    expect(await reason(right, { then })).toBe("taken");
    expect(await reason(right, { second: {}, then })).toMatch(/committed to/);
    await expect(db.sql.unsafe(payload("limit 1"))).rejects.toThrow(/event_payloads_pkey/);
    expect(await state()).toBe(before);
  });

  it("[LOG-13] have triggers that always fire", async () => {
    const guarded = await db.sql<{ table: string; enabled: string }[]>`
      select tgrelid::regclass::text as table, tgenabled::text as enabled from pg_trigger
      where not tgisinternal and tgrelid::regclass::text = any (${tables})`;
    expect(new Set(guarded.map(({ table }) => table))).toEqual(new Set(tables));
    expect(new Set(guarded.map(({ enabled }) => enabled))).toEqual(new Set(["A"]));
    expect(tables).toEqual(expect.arrayContaining([...log, ...caches]));
  });
});
