import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { faultSentence } from "@/events/backup/command";
import { checkLog } from "@/events/backup/log-check";
import type { CheckedLog } from "@/events/backup/log-check";
import { fillDatabase, requireKnownSchema } from "@/events/backup/restored-database";
import { toBase64 } from "@/events/core/bytes/base64";
import { toWire } from "@/events/core/envelope";
import type { Json } from "@/events/core/envelope";
import { redact } from "@/events/crdt/payload/redaction";
import { openArchive } from "@/supabase/local/backup/archive-reader";
import type { Archive } from "@/supabase/local/backup/archive-reader";
import { ArchiveWriter } from "@/supabase/local/backup/archive-writer";
import type { FileHold } from "@/supabase/local/backup/held-files";
import { loadTables } from "@/supabase/local/backup/load";
import { archivedRows, storedRows } from "@/supabase/local/backup/table-rows";
import { storedTables } from "@/supabase/local/backup/tables";
import { writeBackup } from "@/supabase/local/backup/write-backup";
import { applyMigrations } from "@/supabase/local/database/migrations";
import { applyProjectSchema } from "@/supabase/local/database/project-schema";
import { textblockOf } from "@/tests/support/line";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;
let secret: string;
let folder: string;
let backups = 0;
const opened: { close(): Promise<unknown> }[] = [];

const awkward = 'tab\t line\n back\\slash \\N \\. "quoted" \u{1d11e} \u0001 \\x00';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-backup-"));
  db = await testDatabase();
  ana = db.newUser("Ana");
  await db.sql`insert into auth.users (id, email) values (${ana.id}, ${ana.email})`;
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  await db.append(ana, document, null, [
    { type: "document.renamed", body: { title: awkward.replaceAll(/[\n\t\u0001]/g, " ") } },
  ]);
  await edit("Kept. ");
  secret = await edit("The launch code is 0000.");
  await db.sql`insert into private.emails (user_id, email) values (${randomUUID()}, ${awkward})`;
  await db.sql`update private.limits set most = 17 where name = (select min(name) from private.limits)`;
  await db.sql`create sequence public.tickets`;
  await db.sql`select setval('public.tickets', 41)`;
}, 120_000);
afterAll(async () => {
  for (const each of opened) await each.close();
  await db.stop();
  await rm(folder, { recursive: true, force: true });
});

async function edit(text: string): Promise<string> {
  const doc = new Y.Doc();
  textblockOf(doc).insert(0, text);
  const id = randomUUID();
  const update = Y.encodeStateAsUpdate(doc);
  const event = { id, type: "document.edited", body: {}, clientIds: [doc.clientID], update };
  granted(await db.append(ana, document, null, [event]));
  return id;
}

/**
 * Replaces a data folder. Runs `meanwhile` at the point where the files would be held, after the
 * snapshot.
 */
const holding = (meanwhile: () => Promise<void> = async () => undefined): FileHold => ({
  hold: async () => {
    await meanwhile();
    return { paths: [], lost: 0 };
  },
  pathOf: (path) => path,
  clear: async () => undefined,
  release: async () => undefined,
});

const writeTo = (url: string, hold: FileHold, writer: ArchiveWriter) =>
  writeBackup({ url, hold, writer, release: "0.1.0", now: () => new Date("2026-11-23T10:00:00Z") });

async function backUp(url: string, hold = holding()): Promise<Archive> {
  const path = join(folder, `${(backups += 1)}.backup`);
  const writer = await ArchiveWriter.create(path);
  await writeTo(url, hold, writer);
  await writer.publish();
  const archive = await openArchive(path);
  opened.push(archive);
  return archive;
}

/** Creates an empty database on the same server, or a copy of another database. */
async function newDatabase(
  name: string,
  template = "template1",
): Promise<{ url: string; sql: Sql }> {
  await db.sql.unsafe(`create database ${name} template ${template}`);
  const url = db.url.replace(/\/postgres$/, `/${name}`);
  const sql = postgres(url, { max: 4, onnotice: () => undefined });
  opened.push({ close: () => sql.end() });
  return { url, sql };
}

/** Returns a digest of each table's rows without caches, independent of the product's code. */
async function digests(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c where relkind = 'r'
      and relnamespace = any ('{auth,private,public,storage,supabase_migrations}'::regnamespace[])
      and c.oid not in (select relation from private.caches)`;
  const rows = tables.map(async ({ name }) => {
    const [row] = await sql.unsafe<{ digest: string }[]>(
      `select count(*) || ' ' || md5(coalesce(string_agg(x::text, E'\\n' order by x::text), '')) as digest
       from ${name} x`,
    );
    return [name, row?.digest ?? ""] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

const chains = async (sql: Sql, url: string) => checkLog(storedRows(url, await storedTables(sql)));

describe("a backup of a database", () => {
  it("[BACKUP-1] [BACKUP-8] holds the state of one moment, row by row, despite a redaction meanwhile", async () => {
    const row = (await db.read(ana, document)).find(({ id }) => id === secret);
    const tombstone = redact(
      row?.update ?? null,
      Date.parse(row?.clientTime ?? ""),
      new Set(["t"]),
    );
    await db.sql`select attest_tombstone(${secret}, ${toBase64(tombstone)})`;
    const before = await digests(db.sql);
    const archive = await backUp(
      db.url,
      holding(async () => {
        granted(
          await db.append(ana, document, null, [
            {
              type: "document.redacted",
              body: { event: secret, reason: "Leaked" },
              update: tombstone,
            },
          ]),
        );
        await newDocument(db, ana, workspace);
      }),
    );
    expect(await digests(db.sql)).not.toEqual(before);
    const checked = await checkLog(archivedRows(archive));
    expect(checked).toEqual({ streams: 2, events: 5, redacted: 0 } satisfies CheckedLog);

    const { url, sql } = await newDatabase("same");
    await applyProjectSchema(sql);
    await applyMigrations(sql);
    await sql`create sequence public.tickets`;
    await loadTables(url, archive);
    expect(await digests(sql)).toEqual(before);
    expect(await sql`select last_value::int as at from public.tickets`).toEqual([{ at: 41 }]);
    expect(await chains(sql, url)).toEqual(checked);
    const triggers = (of: Sql) =>
      of`select tgrelid::regclass::text as on, tgname, tgenabled from pg_trigger
         where not tgisinternal and tgrelid::regclass::text not like 'realtime.%' order by 1, 2`;
    expect(await triggers(sql)).toEqual(await triggers(db.sql));
    // The last test copies this database, which must have no connections.
    await sql.end();

    const later = await checkLog(archivedRows(await backUp(db.url)));
    expect(later).toEqual({ streams: 3, events: 7, redacted: 1 } satisfies CheckedLog);
  });

  it("[BACKUP-5] is no backup if it breaks off within a table, and says why", async () => {
    await db.sql`create table public.wide as
      select repeat(md5(i::text), 2000) as letters from generate_series(1, 400) i`;
    const sentence = async (breakOff: () => Promise<unknown>) => {
      const path = join(folder, `${randomUUID()}.backup`);
      const writer = await ArchiveWriter.create(path);
      const add = writer.add.bind(writer);
      writer.add = async (name, bytes) => {
        if (name.startsWith("tables/public.wide/")) await breakOff();
        return add(name, bytes);
      };
      const [written] = await Promise.allSettled([writeTo(db.url, holding(), writer)]);
      await writer.abandon();
      return written.status === "rejected" && faultSentence(written.reason);
    };
    expect(
      await sentence(
        () =>
          db.sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy%'`,
      ),
    ).toContain("The connection to the database was lost");
    const full = Object.assign(new Error("no room"), { code: "ENOSPC" });
    expect(await sentence(() => Promise.reject(full))).toContain("The disk is full");
    await db.sql`drop table public.wide`;
  });

  it("[BACKUP-9] [BACKUP-13] of an earlier schema loads into it and migrates to this release's", async () => {
    const older = await newDatabase("older");
    const page = randomUUID();
    const versions = (
      await db.sql<{ version: string }[]>`
      select version from supabase_migrations.schema_migrations order by version`
    ).map(({ version }) => version);
    await applyProjectSchema(older.sql);
    await applyMigrations(older.sql, new Set(versions.slice(0, -1)));
    await older.sql.begin(async (transaction) => {
      const claims = JSON.stringify({ sub: ana.id, role: "authenticated", email: ana.email });
      const append = async (stream: string, type: string, body: Json) => {
        const events = JSON.stringify([toWire({ id: randomUUID(), type, body })]);
        await transaction`select append_events(${stream}, 0, ${events}::text::jsonb)`;
      };
      await transaction`set local role authenticated`;
      await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
      const workspaceId = randomUUID();
      await append(workspaceId, "workspace.created", { name: "Long ago" });
      await append(page, "document.created", { workspaceId, title: "Of old" });
    });
    const archive = await backUp(older.url);
    expect(archive.about.migrations).toEqual(versions.slice(0, -1));

    const { url, sql } = await newDatabase("newer");
    const lines: string[] = [];
    const checked = await checkLog(archivedRows(archive));
    await fillDatabase(url, archive, checked, (line) => lines.push(line));
    expect(lines).toContain("Applied 1 newer migration");
    expect(await sql`select name from public.workspaces`).toEqual([{ name: "Long ago" }]);
    expect(await sql`select icon from public.documents`).toEqual([{ icon: null }]);
    expect(await sql`select stream_id from private.upkeep`).toEqual([{ stream_id: page }]);
    expect(
      await sql`select version from supabase_migrations.schema_migrations order by version`,
    ).toEqual(versions.map((version) => ({ version })));
  });

  it("[BACKUP-9] of a later schema is refused by name", async () => {
    await expect(requireKnownSchema(["20261128195000"])).resolves.toBeUndefined();
    await expect(requireKnownSchema(["20261128195000", "20991231000000"])).rejects.toThrow(
      /made by a newer release: 1 of its migrations are not in this one \(the first is 20991231000000\)/,
    );
  });

  it("[BACKUP-8] is not restored if a database stores its rows differently", async () => {
    const { url, sql } = await newDatabase("other", "same");
    const before = await digests(sql);
    const archive = await backUp(db.url);
    await sql`alter table private.emails add constraint none check (email = '') not valid`;
    await expect(loadTables(url, archive)).rejects.toThrow(
      "The database rejected the rows of private.emails",
    );
    await sql`alter table private.emails drop constraint none`;
    // The same rows in another form: the column pads texts to a fixed length.
    await sql`alter table private.emails alter column email type char(200)`;
    await expect(loadTables(url, archive)).rejects.toThrow(
      /private.emails differs from the backup/,
    );
    await sql`alter table private.emails alter column email type text using rtrim(email)`;
    expect(await digests(sql)).toEqual(before);
  });

  it("[BACKUP-2] of a changed or shortened log is refused with the event", async () => {
    const { url, sql } = await newDatabase("changed", "same");
    const change = async (statement: string) => {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(`
          set local session_replication_role = replica;
          alter table public.events disable trigger user;
          alter table public.event_payloads disable trigger user;
          ${statement}`);
      });
      return checkLog(archivedRows(await backUp(url)));
    };
    const renamed = (await db.read(ana, document)).find(({ type }) => type === "document.renamed");
    const retitle = (title: string) =>
      change(
        `update public.event_payloads set body = '${title}' where event_id = '${renamed?.id}'`,
      );
    await expect(retitle('{"title":"Other"}')).rejects.toThrow(
      `event 2 of stream ${document} differs`,
    );
    expect(await retitle(renamed?.bodyText ?? "")).toMatchObject({ streams: 2, events: 5 });
    await expect(
      change(
        `with last as (delete from public.events where stream_id = '${document}'
           and version = (select max(version) from public.events where stream_id = '${document}') returning id)
         delete from public.event_payloads where event_id in (select id from last)`,
      ),
    ).rejects.toThrow("does not end at its head");
  });
});
