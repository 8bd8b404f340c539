import { randomUUID } from "node:crypto";
import type { Ruled } from "@/events/core/envelope";
import { encodeEdits } from "@/events/crdt/payload/payload";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import { SegmentBuilder } from "@/events/history/segments/segment";
import type { Segment } from "@/events/history/segments/segment";
import { writeSegment } from "@/events/history/segments/segment-store";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { blogSession } from "@/tests/support/recordings/blog-session";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { flushes, readTrace, traceEdits } from "@/tests/support/recordings/traces";
import type { TraceName } from "@/tests/support/recordings/traces";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

const names = ["clownschool", "json-crdt-patch", "seph-blog1"] satisfies TraceName[];
const limits = { payload: 8, log: 100, segments: 4 };
const perAppend = 100;
const tables = ["events", "event_payloads"] as const;

type Batch = { actor: number; edits: AuthoredEdit[] };

/** Returns a recording as its authors flush it once a second, in the order of the log. */
function batchesOf(name: TraceName): Batch[] {
  const trace = readTrace(name);
  if (!trace) return [];
  const edits =
    name === "seph-blog1"
      ? blogSession(trace).map((edit) => ({ ...edit, agent: 0 }))
      : traceEdits(trace);
  const batches = flushes(edits, 1000).map((batch): Batch => ({
    actor: batch[0]?.agent ?? 0,
    edits: batch.map(({ update, time, agent }) => ({ update, time, actorId: String(agent) })),
  }));
  return batches;
}

async function lay(
  db: TestDatabase,
  people: User[],
  document: string,
  batches: Batch[],
): Promise<void> {
  const bound = new Set<number>();
  for (let at = 0; at < batches.length;) {
    const actor = batches[at]?.actor ?? 0;
    let end = at;
    while (end < batches.length && end - at < perAppend && batches[end]?.actor === actor) end += 1;
    const proposals = batches.slice(at, end).map(({ edits }) => {
      const clients = new Set(
        edits.flatMap(({ update }) => inspectUpdate(update).structs.map(({ client }) => client)),
      );
      const clientIds = [...clients].filter((client) => !bound.has(client));
      for (const client of clientIds) bound.add(client);
      return {
        id: randomUUID(),
        type: "document.edited",
        body: {},
        clientTime: new Date(edits[0]?.time ?? 0).toISOString(),
        update: encodeEdits(edits),
        clientIds,
      };
    });
    granted(await db.append(people[actor] ?? null, document, null, proposals));
    at = end;
  }
}

async function buildSegments(db: TestDatabase, user: User, document: string): Promise<number> {
  const rows: Ruled[] = [];
  for (
    let page = await db.read(user, document);
    page.length > 0;
    page = await db.read(user, document, rows.length)
  )
    rows.push(...page);
  const builder = new SegmentBuilder();
  const made: { segment: Segment; head: string }[] = [];
  for (const row of rows) {
    const segment = builder.add(row);
    if (segment) made.push({ segment, head: row.hash });
  }
  const last = builder.finish();
  if (last) made.push({ segment: last, head: rows.at(-1)?.hash ?? "" });
  for (const { segment, head } of made) {
    const caller: Parameters<typeof writeSegment>[0] = {
      // The writer reads only these two fields of a client's answer.
      rpc: (async (
        _name: string,
        {
          stream,
          from_version,
          to_version,
          seen,
          format,
          moments,
          head: hash,
          bytes,
        }: Record<string, string | number>,
      ) => {
        await db.sql`select write_segment(${stream ?? ""}, ${from_version ?? 0}, ${to_version ?? 0},
          ${seen ?? 0}, ${format ?? 0}, ${moments ?? 0}, ${hash ?? ""}, ${bytes ?? ""})`;
        return { error: null, status: 200 };
      }) as never,
    };
    await writeSegment(caller, document, segment, head, rows.length);
  }
  return made.length;
}

/** Returns the size of each column of a stream's rows, without row overhead. */
async function columns(
  db: TestDatabase,
  table: string,
  rows: string,
): Promise<[column: string, bytes: number][]> {
  const names = await db.sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${`public.${table}`}::regclass and
      attnum > 0 and not attisdropped order by attnum`;
  const [sums] = await db.sql.unsafe<Record<string, string>[]>(
    `select ${names.map(({ name }) => `coalesce(sum(pg_column_size(t.${name})), 0) as "${name}"`).join(", ")} ` +
      `from public.${table} t where ${rows}`,
  );
  return names.map(({ name }) => [name, Number(sums?.[name] ?? 0)]);
}

type Sizes = { heap: number; indexes: number; toast: number };

async function sizes(db: TestDatabase, table: string): Promise<Sizes> {
  await db.sql.unsafe(`vacuum full public.${table}`);
  const [row] = await db.sql<Record<keyof Sizes, string>[]>`
    select pg_relation_size(${`public.${table}`}) as heap, pg_indexes_size(${`public.${table}`}) as indexes,
      pg_table_size(${`public.${table}`}) - pg_relation_size(${`public.${table}`}) as toast`;
  return { heap: Number(row?.heap), indexes: Number(row?.indexes), toast: Number(row?.toast) };
}

/**
 * Prints the size of a recording's edit in PostgreSQL: every column, the row overhead, the indexes,
 * and the segments.
 */
async function benchLog(name: TraceName): Promise<boolean> {
  const batches = batchesOf(name);
  const edits = batches.reduce((sum, batch) => sum + batch.edits.length, 0);
  if (edits === 0) {
    console.log(`${name}: the recording is not here, not measured`);
    return true;
  }
  const db = await testDatabase();
  try {
    const people = ["Ana", "Ben", "Carol"].map((person) => db.newUser(person));
    const [ana, ...others] = people;
    if (!ana) throw new Error("The recording has no accounts");
    const workspace = await newWorkspace(db, ana);
    for (const user of others) await join(db, ana, workspace, user, "editor");
    const document = await newDocument(db, ana, workspace);
    await lay(db, people, document, batches);
    const per = (bytes: number) => bytes / edits;
    const perEdit = (bytes: number) => per(bytes).toFixed(2);
    console.log(
      `${name}: ${edits} edits in ${batches.length} events of a second ` +
        `(${(edits / batches.length).toFixed(1)} each); bytes an edit:`,
    );
    let log = 0;
    const payload = batches.reduce((sum, batch) => sum + encodeEdits(batch.edits).length, 0);
    for (const table of tables) {
      const own =
        table === "events"
          ? `t.stream_id = '${document}'`
          : `t.event_id in (select id from public.events where stream_id = '${document}')`;
      const each = await columns(db, table, own);
      const { heap, indexes, toast } = await sizes(db, table);
      const values = each.reduce((sum, [, bytes]) => sum + bytes, 0);
      log += heap + indexes + toast;
      console.log(
        `  ${table}: ${perEdit(heap + indexes + toast)} = rows ` +
          `${perEdit(heap + toast)} (of that columns ${perEdit(values)}, ` +
          `headers and gaps ${perEdit(heap + toast - values)}) + indexes ` +
          `${perEdit(indexes)}`,
      );
      console.log(
        `    ${each
          .filter(([, bytes]) => per(bytes) >= 0.005)
          .map(([column, bytes]) => `${column} ${perEdit(bytes)}`)
          .join(", ")}`,
      );
    }
    const made = await buildSegments(db, ana, document);
    const [stored] = await db.sql<
      { bytes: string }[]
    >`select sum(octet_length(bytes)) as bytes from public.segments where stream_id = ${document}`;
    const segments = Number(stored?.bytes ?? NaN);
    const judged: [string, number, number][] = [
      ["payload", per(payload), limits.payload],
      ["log in all", per(log), limits.log],
      [`${made} segments built`, per(segments), limits.segments],
    ];
    console.log(
      "  " +
        judged
          .map(
            ([what, bytes, limit]) =>
              `${what} ${bytes.toFixed(2)} (at most ${limit}: ${bytes <= limit ? "met" : "MISSED"})`,
          )
          .join("; "),
    );
    return judged.every(([, bytes, limit]) => bytes <= limit);
  } finally {
    await db.stop();
  }
}

for (const name of names) if (!(await benchLog(name))) process.exitCode = 1;
