import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newestSchema } from "@/events/content/text-schema";
import { toBase64 } from "@/events/core/bytes/base64";
import { toWire } from "@/events/core/envelope";
import { verifyChain } from "@/events/log/hash";
import { testDatabase } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, newWorkspace } from "@/tests/support/writers/workspaces";

// Consecutive edits are appended with one statement per table. These tests compare the result with
// single appends.

let db: TestDatabase;
let ana: User;
let workspace: string;
beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());

const edit = (byte: number, clientIds: number[] = []): NewProposal => ({
  type: "document.edited",
  body: {},
  update: Uint8Array.of(1, byte, byte),
  clientIds,
  clientTime: `2026-01-02T03:04:${String(byte % 60).padStart(2, "0")}.5Z`,
});
const title = (text: string): NewProposal => ({
  type: "document.renamed",
  body: { title: text },
  clientTime: "2026-01-02T03:04:06Z",
});

async function newDocument(): Promise<string> {
  const id = randomUUID();
  const body = { workspaceId: workspace, title: "Draft" };
  const created = { type: "document.created", body, clientTime: "2026-01-02T03:04:05Z" };
  granted(await db.append(ana, id, 0, [created]));
  return id;
}

const batches: Record<string, NewProposal[]> = {
  "edits alone": Array.from({ length: 40 }, (_, at) => edit(at)),
  "edits in the newest schema": [1, 2, 3].map((byte) => ({ ...edit(byte), schema: newestSchema })),
  "edits after one that declares a client id": [
    edit(1, [7]),
    edit(2),
    edit(3),
    edit(4, [7, 8]),
    edit(5),
  ],
  "edits among others": [
    edit(1),
    title("A"),
    edit(2),
    edit(3),
    title("B"),
    edit(4),
    edit(5),
    edit(6),
  ],
  "an edit that only deletes among others": [
    edit(1),
    { ...edit(2), update: Uint8Array.of(0, 1) },
    edit(3),
  ],
};

/** Returns everything that an append writes for a document, without values that always differ. */
async function traces(document: string) {
  const [row] = await db.sql`
    select
      (select jsonb_agg(to_jsonb(e) - array['id', 'stream_id', 'subject_id', 'position',
      'recorded_at', 'payload_hash', 'hash'] order by e.version)
        from events e where e.stream_id = ${document}) as events,
      (select jsonb_agg(jsonb_build_array(p.body, p.update) order by e.version)
        from events e join event_payloads p on p.event_id = e.id where e.stream_id = ${document}) as payloads,
      (select to_jsonb(s) - array['id', 'hash', 'recorded_at', 'announced_at'] from private.streams
      s where s.id = ${document}) as head,
      (select jsonb_agg(to_jsonb(s) - array['stream_id', 'id']) from private.subjects s where
      s.stream_id = ${document}) as subjects,
      (select to_jsonb(d) - array['id', 'created_at', 'updated_at', 'rank'] from documents d where d.id =
      ${document}) as document,
      (select d.updated_at = s.recorded_at from documents d join private.streams s on s.id = d.id
      where d.id = ${document}) as is_recent,
      (select jsonb_agg(to_jsonb(t) - array['scope', 'part'] order by t.kind) from private.tallies t
      where t.scope = ${document}) as tallies,
      (select jsonb_agg(jsonb_build_array(c.client_id, c.version) order by c.client_id) from
      private.stream_clients c where c.stream_id = ${document}) as clients,
      exists (select from private.upkeep u where u.stream_id = ${document}) as is_marked`;
  return row;
}

it.each(Object.keys(batches))(
  "[LOG-1] a batch of %s leaves the rows of single appends",
  async (name) => {
    const [together, apart] = [await newDocument(), await newDocument()];
    const batch = batches[name] ?? [];
    const { rulings } = granted(await db.append(ana, together, null, batch));
    for (const event of batch) granted(await db.append(ana, apart, null, [event]));
    expect(await traces(together)).toEqual(await traces(apart));
    const read = await db.read(ana, together);
    expect(rulings.map(({ hash }) => hash)).toEqual(read.slice(1).map(({ hash }) => hash));
    expect((await verifyChain(read)).ok).toBe(true);
    expect(new Set(read.map(({ recordedAt }) => recordedAt)).size).toBe(read.length);
  },
);

it("[LOG-52] a batch that exceeds a limit is refused as a whole", async () => {
  const document = await newDocument();
  await db.sql`update private.streams set history = (select most from private.limits where name =
    'document_history') - 8 where id = ${document}`;
  const before = await traces(document);
  const answer = await db.append(ana, document, null, [edit(1), edit(2), edit(3)]);
  expect(answer).toMatchObject({ ok: false, refusal: { name: "too-large" } });
  expect(await traces(document)).toEqual(before);
  granted(await db.append(ana, document, null, [edit(1), edit(2)]));
});

it("[LOG-1] the batch reader agrees with the single reader, or leaves the batch to it", async () => {
  const stream = randomUUID();
  const value = fc.constantFrom<unknown>(
    null,
    0,
    7,
    "",
    "7",
    "x",
    "{}",
    '{"a":1}',
    "AQID",
    "AQI",
    "!",
    [],
    [1],
    [1.5],
    ["3"],
    [null],
    [16777216, 2],
    {},
    true,
    "2026-01-02T03:04:05Z",
    "2026-13-02T03:04:05Z",
    "2026-01-02",
    { kind: "document", id: stream },
    { kind: "version", id: stream },
    "document.edited",
    "document.renamed",
    stream.toUpperCase(),
  );
  const key = fc.constantFrom(
    "id",
    "type",
    "body",
    "subject",
    "update",
    "clientIds",
    "schema",
    "clientTime",
    "more",
  );
  const change = fc.array(fc.tuple(key, fc.oneof(value, fc.constant(undefined))), { maxLength: 2 });
  const entry = change.map((changes) => ({
    id: randomUUID(),
    type: "document.edited",
    body: "{}",
    update: toBase64(Uint8Array.of(1, 2, 3)),
    ...Object.fromEntries(changes),
  }));
  let taken = 0;
  let left = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 3 }), async (entries) => {
      const events = JSON.stringify(entries);
      const [fast] =
        await db.sql`select to_jsonb(private.parse_edits(${stream}, ${events}::text::jsonb)) as read`;
      if (fast?.read === null) {
        left += 1;
        return;
      }
      taken += 1;
      const [slow] =
        await db.sql`select to_jsonb(private.parse_any(${stream}, ${events}::text::jsonb)) as read`;
      expect(fast?.read).toEqual(slow?.read);
    }),
    { seed: 20261123, numRuns: 1500 },
  );
  expect(taken).toBeGreaterThan(150);
  expect(left).toBeGreaterThan(150);
});

it("[LOG-70] a growing log costs an open connection no sequential scans", async () => {
  const document = await newDocument();
  const sql = await db.sql.reserve();
  const scans = async () => {
    await sql`select pg_stat_force_next_flush()`;
    await sql`select pg_stat_clear_snapshot()`;
    const rows = await sql<{ relname: string; scans: string }[]>`
      select relname, seq_scan as scans from pg_stat_user_tables
      where relid in ('public.events'::regclass, 'public.event_payloads'::regclass) order by relname`;
    return rows.map(({ relname, scans: count }) => [relname, count]);
  };
  const append = (events: NewProposal[]) => {
    const proposals = events.map((event) => toWire({ ...event, id: randomUUID() }));
    return sql`select append_events(${document}, null, ${JSON.stringify(proposals)}::text::jsonb)`;
  };
  try {
    const claims = JSON.stringify({ sub: ana.id, role: "authenticated", email: ana.email });
    await sql`select set_config('request.jwt.claims', ${claims}, false)`;
    const before = await scans();
    // PostgreSQL may cache a generic plan after five executions.
    for (let round = 0; round < 12; round += 1) {
      await append([edit(round)]);
      await append([edit(round), edit(round), edit(round)]);
      await append([title(`Title ${round}`)]);
    }
    expect(await scans()).toEqual(before);
  } finally {
    await sql`select set_config('request.jwt.claims', '', false)`;
    sql.release();
  }
});
