import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { schemaNames } from "@/events/content/schema-names";
import { toBase64 } from "@/events/core/bytes/base64";
import { documentById } from "@/events/read-models/document-rows";
import { redact } from "@/events/crdt/payload/redaction";
import { StoreFault } from "@/events/log/store";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

// Tests the server's work beside a redaction, in every order. Deriving a state takes several
// queries. The redaction runs before each query in turn, and between the pages of the log.

type Row = { [column: string]: unknown };
type Answer = { data: unknown; error: { message: string } | null; status: number };

const served: { client: SupabaseClient | null } = { client: null };
const afterwards: Promise<unknown>[] = [];
vi.mock("@/supabase/server", () => ({
  serviceClient: () => served.client,
  pageClient: () => served.client,
}));
vi.mock("next/server", () => ({
  after: (work: () => Promise<unknown>) => void afterwards.push(work()),
}));
const { maintain } = await import("@/app/_server/maintenance/maintenance");
const { loadRestricted } = await import("@/app/_server/document/load-restricted");
// The files of a worker share their modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.doUnmock("next/server");
  vi.resetModules();
});

let db: TestDatabase;
let ana: User;
let workspace: string;

const secret = "the launch code is 0000";
const events = 300;
const named = 280;
const readAtOnce = 120;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());
beforeEach(() => void afterwards.splice(0));

function asService(work: (sql: TransactionSql) => Promise<Row[]>): Promise<Row[]> {
  return db.sql.begin(async (t) => {
    await t`set local role service_role`;
    return work(t);
  }) as Promise<Row[]>;
}

/**
 * Creates a service client that calls `before` ahead of each query, and reads a log page in three
 * parts.
 */
function asked(before: (question: string) => Promise<void>): SupabaseClient {
  const answer = async (work: () => Promise<unknown>): Promise<Answer> => {
    try {
      return { data: await work(), error: null, status: 200 };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { data: null, error: { message: error.message }, status: 409 };
    }
  };
  const call = async (name: string, args: Row) => {
    await before(name);
    const named = Object.keys(args).map((key, index) => `${key} => $${index + 1}`);
    const values = Object.values(args).map((value) =>
      value === undefined ? null : (value as string | number | null),
    );
    const [row] = await asService((t) =>
      t.unsafe(`select ${name}(${named.join(", ")}) as answer`, values),
    );
    return row?.answer as unknown;
  };
  const pages = async (args: Row): Promise<unknown[]> => {
    const rows: Row[] = [];
    for (let after = Number(args.after_version); ; after += readAtOnce) {
      const pageSize = Math.min(readAtOnce, Number(args.max_count) - rows.length);
      const page = (await call("read_events", {
        ...args,
        after_version: after,
        max_count: pageSize,
      })) as Row[];
      rows.push(...page);
      if (page.length < readAtOnce || rows.length >= Number(args.max_count)) return rows;
    }
  };
  const from = (table: string) => {
    const asks = { columns: "*", where: "true", order: "", rest: "" };
    const query = {
      select: (columns: string) => (Object.assign(asks, { columns }), query),
      eq: (column: string, value: string | number) => (
        (asks.where += ` and ${column} = '${value}'`),
        query
      ),
      in: (column: string, values: string[]) => (
        (asks.where += ` and ${column} in ('${values.join("','")}')`),
        query
      ),
      order: (column: string, { ascending } = { ascending: true }) => (
        (asks.order += `${asks.order ? "," : "order by"} ${column} ${ascending ? "" : "desc"}`),
        query
      ),
      limit: (count: number) => ((asks.rest = `limit ${count}`), query),
      range: (start: number, end: number) => (
        (asks.rest = `offset ${start} limit ${end - start + 1}`),
        query
      ),
      overrideTypes: () => query,
      then: (...then: Parameters<Promise<Answer>["then"]>) =>
        answer(async () => {
          await before(table);
          const rows = await asService((t) =>
            t.unsafe(
              `select to_jsonb(x) as x from (select ${asks.columns} from public.${table} where
                ${asks.where} ${asks.order} ${asks.rest}) x`,
            ),
          );
          return rows.map(({ x }) => x as unknown);
        }).then(...then),
    };
    return query;
  };
  const rpc = (name: string, args: Row) =>
    answer(() => (name === "read_events" ? pages(args) : call(name, args)));
  // The server uses only these two methods of the client.
  return { rpc, from } as unknown as SupabaseClient;
}

/**
 * Creates a document of single letters, with the secret in one of the first edits. Returns its id
 * and a function that redacts the secret.
 */
async function written(): Promise<{ document: string; strike: () => Promise<void> }> {
  const document = await newDocument(db, ana, workspace);
  const doc = new Y.Doc();
  doc.clientID = 7;
  const updates: Uint8Array[] = [];
  const textblock = new Y.XmlText();
  const paragraph = new Y.XmlElement("paragraph");
  doc.on("update", (update: Uint8Array) => updates.push(update));
  doc.transact(() => {
    paragraph.insert(0, [textblock]);
    doc.getXmlFragment("default").insert(0, [paragraph]);
  });
  for (let at = 1; at < events; at += 1)
    textblock.insert(textblock.length, at === 20 ? secret : ("abc "[at % 4] ?? ""));
  const id = randomUUID();
  const edits = updates.map((update, at) => ({
    id: at === 20 ? id : randomUUID(),
    type: "document.edited",
    body: {},
    clientIds: at === 0 ? [7] : [],
    update,
  }));
  for (let at = 0; at < edits.length; at += 150)
    granted(await db.append(ana, document, null, edits.slice(at, at + 150)));
  granted(
    await db.append(ana, document, null, [
      {
        type: "version.named",
        subject: { kind: "version", id: randomUUID() },
        body: { at: named, name: "Named" },
      },
    ]),
  );
  const strike = async () => {
    const row = (await db.read(ana, document)).find((one) => one.id === id);
    if (!row) throw new Error("nothing to redact");
    const tombstone = redact(row.update, Date.parse(row.clientTime), schemaNames);
    await db.sql`select attest_tombstone(${id}, ${toBase64(tombstone)})`;
    granted(
      await db.append(ana, document, null, [
        { type: "document.redacted", body: { event: id, reason: "" }, update: tombstone },
      ]),
    );
  };
  return { document, strike };
}

async function everythingOf(document: string): Promise<string> {
  const [row] = await db.sql`
    select (select string_agg(encode(s.state, 'hex'), '') from snapshots s where stream_id = ${document}) as states,
      (select string_agg(p.body || coalesce(encode(p.update, 'hex'), ''), '') from event_payloads p
        join events e on e.id = p.event_id where e.stream_id = ${document}) as log`;
  return JSON.stringify(row);
}

const segmentsOf = async (document: string) => [
  ...(await db.sql`select from_version, to_version, encode(bytes, 'hex') as bytes from segments
    where stream_id = ${document} order by 1`),
];

/**
 * Does server work on a new document, with the redaction before query number `turn` (from 1; 0
 * means never). Returns the queries, and whether the result was refused.
 */
async function raced(
  work: (document: string) => Promise<unknown>,
  turn: number,
): Promise<{ document: string; questions: string[]; refused: boolean }> {
  const { document, strike } = await written();
  const questions: string[] = [];
  served.client = asked(async (question) => {
    questions.push(question);
    if (questions.length === turn) await strike();
  });
  const done = await Promise.allSettled([work(document)]);
  const faults = [...done, ...(await Promise.allSettled(afterwards.splice(0)))].flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  for (const fault of faults) {
    if (!(fault instanceof StoreFault)) throw fault;
    expect(fault.message).toBe("version-conflict");
  }
  return { document, questions, refused: faults.length > 0 };
}

const works: Record<string, (document: string) => Promise<unknown>> = {
  "keeps snapshot and segments up": (document) => maintain(document, "always"),
  "keeps them up once more, when there are some": async (document) => {
    const striking = served.client;
    served.client = asked(() => Promise.resolve());
    await maintain(document, "always");
    for (const length of [200, 80])
      granted(
        await db.append(
          ana,
          document,
          null,
          Array.from({ length }, () => ({ type: "document.renamed", body: { title: "A" } })),
        ),
      );
    served.client = striking;
    await maintain(document, "always");
  },
  "shows a restricted reader a named version": (document) => shown(document, named),
  "shows a restricted reader the present": (document) => shown(document, null),
};

async function shown(document: string, at: number | null) {
  if (!served.client) throw new Error("The service has no client");
  const row = await documentById(served.client, document);
  if (!row) throw new Error("no document");
  return loadRestricted(served.client, row, at, ana.id);
}

describe("a redaction beside a server that", () => {
  it.each(Object.entries(works))(
    "[REDACT-1] [REDACT-8] %s leaves the words nowhere, at any moment",
    async (_what, work) => {
      const { document: whole, questions } = await raced(work, 0);
      expect(await everythingOf(whole)).toContain(Buffer.from(secret).toString("hex"));
      const turns = questions.length;
      expect(turns).toBeGreaterThan(4);
      let refused = 0;
      let accepted = 0;
      for (let turn = 1; turn <= turns; turn += 1) {
        const run = await raced(work, turn);
        expect(run.questions.length).toBeGreaterThanOrEqual(turn);
        expect({
          turn,
          before: run.questions[turn - 1],
          left: (await everythingOf(run.document)).includes(Buffer.from(secret).toString("hex")),
        }).toMatchObject({ left: false });
        if (run.refused) refused += 1;
        const segments = await segmentsOf(run.document);
        const [state] =
          await db.sql`select count(*)::int as states from snapshots where stream_id = ${run.document}`;
        if (segments.length + Number(state?.states) > 0) accepted += 1;
        if (segments.length === 0) continue;
        // The remaining segments must equal the segments that the present log yields.
        served.client = asked(() => Promise.resolve());
        await db.sql`delete from segments where stream_id = ${run.document}`;
        await maintain(run.document, "always");
        expect((await segmentsOf(run.document)).slice(0, segments.length)).toEqual(segments);
      }
      console.log(
        `${turns} questions: ${questions.join(" ")}; refused ${refused}, kept ${accepted}`,
      );
      expect(Math.min(refused, accepted)).toBeGreaterThan(0);
    },
  );
});
