import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSnapshot, readSnapshot, writeSnapshot } from "@/events/crdt/validation/snapshot";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import type { TransactionSql } from "postgres";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

type Query = (sql: TransactionSql) => Promise<unknown>;

let db: TestDatabase;
let ana: User;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  document = await newDocument(db, ana, await newWorkspace(db, ana));
  granted(
    await db.append(ana, document, 1, [
      { type: "document.renamed", body: { title: "a" } },
      { type: "document.renamed", body: { title: "b" } },
    ]),
  );
});
afterAll(() => db.stop());

const asService = async (query: Query) =>
  db.sql.begin(async (sql) => {
    await sql`set local role service_role`;
    await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`;
    return query(sql);
  });
const write = (version: number, state = "AQI=", head: string | null = null) =>
  asService((sql) => sql`select write_snapshot(${document}, ${version}, ${state}, null, ${head})`);
const read = async (user: User, at: number | null = null) => {
  const [row] = await db.as(user, (t) => t`select read_snapshot(${document}, ${at}) as snapshot`);
  return row?.snapshot as unknown;
};

it("[LOG-24] stores a state at a version that the log has reached", async () => {
  await write(2);
  await write(3, "AwQF");
  await expect(write(4)).rejects.toThrow("invalid-event");
  await expect(write(0)).rejects.toThrow("invalid-event");
  await expect(write(2, "?")).rejects.toThrow("invalid-event");
  expect(await read(ana)).toEqual({ version: 3, state: "AwQF" });
  expect(await read(ana, 2)).toEqual({ version: 2, state: "AQI=" });
  expect(await read(ana, 1)).toBeNull();
});

it("[LOG-24] is written by the service alone and read by members alone", async () => {
  const [mallory, carol] = [db.newUser("Mallory"), db.newUser("Carol")];
  const [{ workspace_id: workspace } = { workspace_id: "" }] = await db.sql<
    { workspace_id: string }[]
  >`select workspace_id from documents where id = ${document}`;
  await join(db, ana, workspace, carol, "viewer");
  expect(await read(carol)).toMatchObject({ version: 3 });
  expect(await read(mallory)).toBeNull();
  await expect(db.as(ana, (t) => t`select write_snapshot(${document}, 1, 'AQI=')`)).rejects.toThrow(
    /permission denied/,
  );
});

const headOf = async (version: number) => {
  const [row] = await db.sql<
    { hash: string }[]
  >`select encode(hash, 'hex') as hash from events where stream_id = ${document} and version = ${version}`;
  return row?.hash ?? "";
};
/** Changes a snapshot as a superuser who disables the guards. */
const tamper = (change: Query) =>
  db.sql.begin(async (sql) => {
    await sql`alter table public.snapshots disable trigger user`;
    await change(sql);
    await sql`alter table public.snapshots enable always trigger a_refuse_others`;
    await sql`alter table public.snapshots enable always trigger b_guard_cache`;
  });

it("[LOG-24] is accepted only for the log that it was folded from", async () => {
  await expect(write(2, "AQI=", await headOf(3))).rejects.toThrow("invalid-event");
  await write(2, "AQI=", await headOf(2));
  expect(await read(ana, 2)).toEqual({ version: 2, state: "AQI=" });
});

it.each([
  [
    "its bytes",
    (sql: TransactionSql) => sql`update snapshots set state = '\\xffff' where version = 3`,
  ],
  [
    "its place",
    (sql: TransactionSql) => sql`update snapshots set version = 1, seen = null where version = 3`,
  ],
  [
    "the log it says it is of",
    (sql: TransactionSql) => sql`update snapshots set head = '\\xabcd' where version = 3`,
  ],
  [
    "its digest, as before there were any",
    (sql: TransactionSql) => sql`update snapshots set digest = null, head = null where version = 3`,
  ],
])(
  "[LOG-35] is skipped after a change of %s, and deleted by the next write",
  async (_what, change) => {
    await write(2);
    await write(3, "AwQF");
    await tamper(change);
    expect(await read(ana, 1)).toBeNull();
    expect(await read(ana)).toEqual({ version: 2, state: "AQI=" });
    await write(3, "AwQF");
    expect(await read(ana)).toEqual({ version: 3, state: "AwQF" });
    const unsound =
      await db.sql`select version from snapshots where stream_id = ${document} and not private.is_sound(snapshots)`;
    expect([...unsound]).toEqual([]);
  },
);

it("[LOG-35] keeps the two newest states and the named ones", async () => {
  const version = randomUUID();
  granted(
    await db.append(ana, document, null, [
      {
        type: "version.named",
        subject: { kind: "version", id: version },
        body: { at: 2, name: "First" },
      },
    ]),
  );
  for (const at of [1, 2, 3, 4]) await write(at);
  const versions =
    await db.sql`select version::int from snapshots where stream_id = ${document} order by version`;
  expect(versions.map((row) => Number(row.version))).toEqual([2, 3, 4]);
});

const take = async (settled = "0 seconds") => {
  const taken = await asService((sql) => sql`select take_upkeep(8, ${settled}) as taken`);
  return ((taken as { taken: { id: string }[] }[])[0]?.taken ?? []).map(({ id }) => id);
};

it("[SEGMENT-6] tells the service alone, once, which document has grown", async () => {
  await take();
  const other = await newDocument(db, ana, await newWorkspace(db, ana));
  const edits = (count: number, size: number) =>
    db.append(
      ana,
      other,
      null,
      Array.from({ length: count }, () => ({
        type: "document.edited",
        body: {},
        update: new Uint8Array(size),
      })),
    );
  granted(await edits(20, 10));
  expect(await take()).toEqual([]);
  granted(await edits(20, 10));
  expect(await take("1 hour")).toEqual([]);
  expect(await take()).toEqual([other]);
  expect(await take()).toEqual([]);
  granted(await edits(1, 9_000));
  expect(await take()).toEqual([other]);
  await expect(db.as(ana, (t) => t`select take_upkeep()`)).rejects.toThrow(/permission denied/);
});

it("[SEGMENT-8] lets editors have a text rebuilt, and no other role", async () => {
  const workspace = await newWorkspace(db, ana);
  const other = await newDocument(db, ana, workspace);
  const [ben, carol, dora, removed, mallory] = ["Ben", "Carol", "Dora", "Erik", "Mallory"].map(
    (name) => db.newUser(name),
  );
  if (!ben || !carol || !dora || !removed || !mallory) throw new Error("Somebody is missing.");
  for (const [user, role] of [
    [ben, "editor"],
    [carol, "commenter"],
    [dora, "viewer"],
    [removed, "editor"],
  ] as const)
    await join(db, ana, workspace, user, role);
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
    ]),
  );
  const store = () =>
    asService(async (sql) => {
      await sql`select write_snapshot(${other}, 1, 'AQI=')`;
      const [head] =
        await sql`select encode(hash, 'hex') as hash from events where stream_id = ${other} and version = 1`;
      await sql`select write_segment(${other}, 1, 1, 1, 1, 1, ${String(head?.hash)}, 'AQI=')`;
    });
  const countStored = async () => {
    const [row] =
      await db.sql`select (select count(*) from snapshots where stream_id = ${other}) + (select
        count(*) from segments where stream_id = ${other}) as count`;
    return Number(row?.count);
  };
  const renew = (user: User, stream = other) =>
    db.as(user, (t) => t`select renew_caches(${stream})`);
  await store();
  for (const user of [carol, dora, removed, mallory])
    await expect(renew(user)).rejects.toThrow("not-permitted");
  await expect(renew(ana, ana.id)).rejects.toThrow("not-permitted");
  await expect(renew(ana, randomUUID())).rejects.toThrow("not-permitted");
  await expect(
    db.sql.begin(async (sql) => {
      await sql`set local role anon`;
      await sql`select renew_caches(${other})`;
    }),
  ).rejects.toThrow(/permission denied/);
  expect(await countStored()).toBe(2);
  for (const user of [ana, ben]) {
    await take();
    await store();
    await renew(user);
    expect(await countStored()).toBe(0);
    expect(await take()).toEqual([other]);
  }
});

it("[SEGMENT-8] does not block a redaction that deletes the same state at that moment", async () => {
  const other = await newDocument(db, ana, await newWorkspace(db, ana));
  await asService(async (sql) => void (await sql`select write_snapshot(${other}, 1, 'AQI=')`));
  const { renewing } = await db.sql.begin(async (redaction) => {
    // An append locks its stream and, now and then, marks the stream.
    await redaction`select from private.streams where id = ${other} for update`;
    await redaction`insert into private.upkeep (stream_id) values (${other}) on conflict do nothing`;
    const renewing = db
      .as(ana, (t) => t`select renew_caches(${other})`)
      .then(
        () => "renewed",
        (error: Error) => error.message,
      );
    await expect
      .poll(async () => (await db.sql`select from pg_locks where not granted`).length, {
        timeout: 30_000,
      })
      .toBeGreaterThan(0);
    await redaction`select private.drop_caches(${other})`;
    return { renewing };
  });
  expect(await renewing).toBe("renewed");
});

it("[LOG-58] is written and read in parts where it is large, each upload by itself", async () => {
  const [workspace] = await db.sql<
    { workspace_id: string }[]
  >`select workspace_id from documents where id = ${document}`;
  const large = await newDocument(db, ana, workspace?.workspace_id ?? "");
  const calls: string[] = [];
  const caller = (sql: TransactionSql) => ({
    async rpc(name: string, args: Record<string, string | number | null>) {
      calls.push(name);
      const values = Object.keys(args).map((key, index) => `${key} => $${index + 1}`);
      const [row] = await sql.unsafe(
        `select ${name}(${values.join(", ")}) as answer`,
        Object.values(args),
      );
      return { data: row?.answer as unknown, error: null, status: 200 };
    },
  });
  const state = new Uint8Array(randomBytes(4_500_000));
  const snapshot = { version: 1, state, owners: [[7, ana.id]] as [number, string][], schema: 1 };
  const head = (await db.read(ana, large))[0]?.hash ?? "";
  await asService(async (sql) => {
    const client = caller(sql) as unknown as Parameters<typeof writeSnapshot>[0];
    // Another writer has stored half of the snapshot.
    await sql`select write_snapshot_part(${large}, 1, ${randomUUID()}, 0, 'AAAA')`;
    await writeSnapshot(client, large, snapshot, { head });
    expect(calls.filter((name) => name === "write_snapshot_part")).toHaveLength(5);
    const found = await findSnapshot(client, large);
    expect(found).toMatchObject({ version: 1, state: null });
    expect(found.size).toBeGreaterThan(4_500_000);
    const read = await readSnapshot(client, large);
    expect(read && Buffer.compare(read.state, state)).toBe(0);
    expect(read).toMatchObject({ version: 1, owners: snapshot.owners, schema: 1 });
  });
  await expect(
    db.as(ana, (t) => t`select write_snapshot_part(${large}, 1, ${randomUUID()}, 0, 'AAAA')`),
  ).rejects.toThrow(/permission denied/);
  const mallory = db.newUser("Mallory");
  expect(
    await db.as(
      mallory,
      (t) => t`select open_snapshot(${large}) as found, read_snapshot_part(${large}, 1, 0) as part`,
    ),
  ).toEqual([{ found: null, part: null }]);
});
