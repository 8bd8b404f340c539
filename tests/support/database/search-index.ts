import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import * as Y from "yjs";
import { indexChanges, storedIndex } from "@/app/_server/workers/index-changes";
import { searchEntries } from "@/events/analysis/search-index/search-entries";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { parseSearch } from "@/events/read-models/search";
import type { SearchAnswer } from "@/events/read-models/search";
import type { TestDatabase, User } from "./database";
import { textblockOf } from "../line";
import { granted } from "../writers/workspaces";

/** Runs SQL in the database as the service role. */
export function asService<T>(db: TestDatabase, work: (sql: TransactionSql) => Promise<T>) {
  return db.sql.begin(async (sql) => {
    await sql.unsafe("set local role service_role");
    await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`;
    return work(sql);
  });
}

/**
 * Indexes a document as the service does, from its log as `reader` reads it. Returns the number of
 * entries written.
 */
export async function indexDocument(
  db: TestDatabase,
  reader: User,
  document: string,
): Promise<number> {
  const timeline = openTimeline(await db.read(reader, document));
  return asService(db, async (sql) => {
    const [row] = await sql`select read_index(${document}) as stored`;
    const changes = indexChanges(storedIndex.parse(row?.["stored"]), searchEntries(timeline));
    for (const { gone, entries } of changes)
      await sql`select write_index(${document}, ${timeline.version}, ${JSON.stringify(gone)}::text::jsonb,
        ${JSON.stringify(entries)}::text::jsonb, true)`;
    return changes.reduce((sum, { entries }) => sum + entries.length, 0);
  });
}

let clientId = 10;

/** Changes the first paragraph of a document in one event by `user`, and returns the event's id. */
export async function edit(
  db: TestDatabase,
  user: User,
  document: string,
  change: (text: Y.XmlText) => void,
): Promise<string> {
  const fold = new ConfirmedDocument(null);
  for (const row of await db.read(user, document)) fold.integrate(row);
  const doc = new Y.Doc({ gc: false });
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(fold.doc));
  clientId += 1;
  doc.clientID = clientId;
  const text = textblockOf(doc);
  doc.transact(() => change(text));
  const id = randomUUID();
  const update = Y.encodeStateAsUpdate(doc, Y.encodeStateVector(fold.doc));
  const edited = { id, type: "document.edited", body: {}, clientIds: [clientId], update };
  granted(await db.append(user, document, null, [edited]));
  return id;
}

export type Asked = {
  scope?: "now" | "ever";
  author?: string;
  since?: string;
  until?: string;
  at?: string;
  trash?: boolean;
};

/** Returns the results of a person's search in a workspace. */
export async function searched(
  db: TestDatabase,
  user: User | null,
  workspace: string,
  words: string,
  { scope = "now", author, since, until, at, trash = false }: Asked = {},
): Promise<SearchAnswer | null> {
  const [row] = await db.as(
    user,
    (
      sql,
    ) => sql`select search(${workspace}, ${words}, ${scope}, ${author ?? null}, ${since ?? null},
      ${until ?? null}, ${at ?? null}, ${trash}) as answer`,
  );
  return parseSearch(row?.["answer"] ?? null);
}
