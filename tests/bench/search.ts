import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import type { TransactionSql } from "postgres";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { asService } from "@/tests/support/database/search-index";
import { granted, join, newWorkspace } from "@/tests/support/writers/workspaces";
import { percentile } from "./figures/percentile";

// A workspace of this many documents, each with some deleted passages.
const documents = Number(process.env.DOCUMENTS ?? 10_000);
const perDocument = { entries: 12, deleted: 3, words: 84 };
const vocabulary = 40_000;
const rounds = Number(process.env.ROUNDS ?? 300);
const most = { milliseconds: 200 };

const { below, unit } = seededRandom(2026);
const syllables = "ba de ki lo mu na pe ri so tu va we xi yo za che sha tri plo gru".split(" ");

/** Returns a word by its rank. More frequent words are shorter. */
function wordOf(rank: number): string {
  let word = "";
  for (let left = rank + 1; left > 0; left = Math.floor(left / syllables.length))
    word += syllables[left % syllables.length] ?? "";
  return word;
}
const words = Array.from({ length: vocabulary }, (_, rank) => wordOf(rank));
/** Picks a word as in written language: the nth word occurs about 1/n as often as the first. */
const anyWord = () => words[Math.floor(vocabulary ** unit()) - 1] ?? "";
const passage = () => Array.from({ length: perDocument.words }, anyWord).join(" ");

type Row = Record<string, unknown>;
const passages: string[] = [];

function entryRow(place: number, author: string, deleter: string): Row {
  const isDeleted = place >= perDocument.entries;
  const text = passage();
  if (below(200) === 0) passages.push(text);
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString();
  const written = below(6_000);
  return {
    place: `p${place}`,
    nth: 0,
    digest: "",
    kind: "text",
    class: isDeleted ? "g" : "n",
    text,
    from_version: 1,
    from_time: at(written),
    written_at: at(written),
    to_version: isDeleted ? 1 : null,
    to_time: isDeleted ? at(written + below(2_000)) : null,
    stood_version: isDeleted ? 1 : null,
    stood_edit: null,
    author_id: author,
    authors: [author],
    ended_by: isDeleted ? deleter : null,
    thread_id: null,
    named_at: [],
  };
}

async function fill(db: TestDatabase, workspace: string, ana: User, ben: User): Promise<void> {
  const streams: string[] = [];
  for (let at = 0; at < documents; at += 1) streams.push(randomUUID());
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let at = lane; at < documents; at += 8) {
      const title = `${anyWord()} ${anyWord()} ${at}`;
      const created = { type: "document.created", body: { workspaceId: workspace, title } };
      granted(await db.append(ana, streams[at] ?? "", 0, [created]));
    }
  });
  await Promise.all(lanes);
  const all = perDocument.entries + perDocument.deleted;
  for (let at = 0; at < documents; at += 50)
    await asService(db, async (sql) => {
      for (const stream of streams.slice(at, at + 50)) {
        const rows = Array.from({ length: all }, (_, place) =>
          entryRow(place, below(2) === 0 ? ana.id : ben.id, ben.id),
        );
        await sql`select write_index(${stream}, 1, '[]', ${JSON.stringify(rows)}::text::jsonb, true)`;
      }
    });
  await db.sql.unsafe("vacuum analyze private.search_entries");
}

/** Returns a query. Its kind is as frequent as in people's searches. */
function anyQuery(): { kind: string; words: string } {
  const kind = below(100);
  const middling = () => words[200 + below(8_000)] ?? "";
  const [text = "", at] = [passages[below(passages.length)], below(perDocument.words - 3)];
  const near = text.split(" ").slice(at, at + 3);
  if (kind < 35) return { kind: "a word", words: middling() };
  if (kind < 55) return { kind: "two words", words: `${near[0] ?? ""} ${near[2] ?? ""}` };
  if (kind < 70) return { kind: "a beginning", words: middling().slice(0, 4) };
  if (kind < 85) return { kind: "a phrase", words: `"${near.join(" ")}"` };
  if (kind < 93) return { kind: "a frequent word", words: words[below(20)] ?? "" };
  if (kind < 97) return { kind: "a short beginning", words: middling().slice(0, 3) };
  return { kind: "nothing", words: "qqqqq" };
}

type Asked = { scope: "now" | "ever"; author: string | null; at: string | null };

async function timed(sql: TransactionSql, workspace: string, query: string, asked: Asked) {
  const begun = performance.now();
  await sql`select search(${workspace}, ${query}, ${asked.scope}, ${asked.author}, null, null,
    ${asked.at})`;
  return performance.now() - begun;
}

async function measure(
  db: TestDatabase,
  user: User,
  workspace: string,
  name: string,
  asked: Asked,
) {
  const all: number[] = [];
  const byKind = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    const { kind, words: query } = anyQuery();
    const took = await db.as(user, (sql) => timed(sql, workspace, query, asked));
    all.push(took);
    byKind.set(kind, [...(byKind.get(kind) ?? []), took]);
  }
  const [p50, p95] = [percentile(all, 0.5), percentile(all, 0.95)];
  console.log(
    `${name}: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, most ${Math.max(...all).toFixed(1)} ms`,
  );
  for (const [kind, some] of byKind)
    console.log(`  ${kind} (${some.length}): most ${Math.max(...some).toFixed(1)} ms`);
  if (p95 > most.milliseconds) {
    console.error(`It must be at most ${most.milliseconds} ms.`);
    process.exitCode = 1;
  }
}

/** Prints the plan of every statement of a search. Each statement must use an index. */
async function plans(db: TestDatabase, workspace: string): Promise<void> {
  const [row] = await db.sql`select to_hex(number) as belongs from private.search_workspaces
    where workspace_id = ${workspace}`;
  const belongs = `${String(row?.["belongs"])}n`;
  const asked = [words[500] ?? "", words[0] ?? "", "sha", `"${words[0] ?? ""} ${words[1] ?? ""}"`];
  for (const query of asked) {
    const statements = [
      `select nth from private.search_entries m where m.words @@ $1 limit 2001`,
      `select nth from private.search_entries m where m.workspace_id = $2 and m.class = 'n'
        and m.words @@ $1 order by m.stamp desc limit 400`,
    ];
    for (const [index, statement] of statements.entries()) {
      const plan = await db.sql.begin(async (sql) => {
        await sql`set local enable_seqscan = off`;
        const [made] = await sql`select private.search_query(${query}, ${belongs})::text as query`;
        const text = statement
          .replace("$1", `'${String(made?.["query"]).replaceAll("'", "''")}'::tsquery`)
          .replace("$2", `'${workspace}'`);
        return sql.unsafe(`explain (costs off) ${text}`);
      });
      const lines = plan.map((line) => String(line["QUERY PLAN"]).trim());
      console.log(`${query} (${index === 0 ? "all" : "the newest"}): ${lines.join("; ")}`);
      if (lines.some((line) => line.includes("Seq Scan"))) process.exitCode = 1;
    }
  }
}

const db = await testDatabase();
try {
  const [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  const workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
  const begun = performance.now();
  await fill(db, workspace, ana, ben);
  const [size] = await db.sql`
    select count(*)::int as entries, pg_relation_size('private.search_entries_by_words')::bigint as index,
      pg_total_relation_size('private.search_entries')::bigint as total from private.search_entries`;
  const count = Number(size?.["entries"]) * perDocument.words;
  console.log(
    `${documents} documents, ${(count / 1e6).toFixed(1)} million words in ${String(size?.["entries"])} entries, ` +
      `made in ${((performance.now() - begun) / 1000).toFixed(0)} s (load ${(loadavg()[0] ?? NaN).toFixed(1)})`,
  );
  const perWord = (bytes: unknown) => (Number(bytes) / count).toFixed(1);
  console.log(`bytes a word: index ${perWord(size?.["index"])}, all ${perWord(size?.["total"])}`);
  const now: Asked = { scope: "now", author: null, at: null };
  await measure(db, ana, workspace, "in the text now", now);
  await measure(db, ana, workspace, "ever written", { ...now, scope: "ever" });
  await measure(db, ana, workspace, "by one of two", { ...now, author: ben.id });
  await measure(db, ana, workspace, "as of a day", { ...now, at: "2026-06-01T00:00:00Z" });
  granted(
    await db.append(ana, workspace, null, [
      {
        type: "member.role_changed",
        subject: { kind: "member", id: ben.id },
        body: { role: "viewer" },
      },
      { type: "workspace.history_graded", body: { viewer: "versions", commenter: "versions" } },
    ]),
  );
  await measure(db, ben, workspace, "by a restricted reader", now);
  await plans(db, workspace);
  console.log(`(load of the machine at the end: ${(loadavg()[0] ?? NaN).toFixed(1)})`);
} finally {
  await db.stop();
}
