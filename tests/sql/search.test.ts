import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bombs, hostileWords } from "@/tests/security/corpus";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { asService, edit, indexDocument, searched } from "@/tests/support/database/search-index";
import type { Asked } from "@/tests/support/database/search-index";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
});
afterAll(() => db.stop());

async function written(user: User, text: string): Promise<string> {
  const document = await newDocument(db, ana, workspace);
  await edit(db, user, document, (textblock) => textblock.insert(0, text));
  await indexDocument(db, ana, document);
  return document;
}
const search = (user: User, words: string, asked?: Asked) =>
  searched(db, user, workspace, words, asked);
const found = async (...asked: Parameters<typeof search>) =>
  (await search(...asked))?.results.map(({ document }) => document) ?? null;
const renamed = async (document: string, title: string) =>
  granted(await db.append(ana, document, null, [{ type: "document.renamed", body: { title } }]));
const nowAt = async () => String((await db.sql`select clock_timestamp()::text as now`)[0]?.["now"]);

describe("searching", () => {
  it("[SEARCH-1] finds words, prefixes and phrases in titles, text and comments", async () => {
    const document = await written(ben, "From January the library is closed on Mondays.");
    const thread = randomUUID();
    granted(
      await db.append(ana, document, null, [
        { type: "document.renamed", body: { title: "Opening hours" } },
        {
          type: "thread.opened",
          subject: { kind: "thread", id: thread },
          body: { start: "AA==", end: "AQ==", quote: "closed" },
        },
        {
          type: "comment.added",
          subject: { kind: "comment", id: randomUUID() },
          body: { thread, text: "Ask the caretaker" },
        },
      ]),
    );
    await indexDocument(db, ana, document);
    for (const words of ["closed mondays", "LIBR", '"closed on"', "opening", "caretak", "hours "])
      expect([words, await found(ana, words)]).toEqual([words, [document]]);
    for (const words of ['"on closed"', "ibrary", "closed sundays", '"closed o"', "draft"])
      expect([words, await found(ana, words)]).toEqual([words, []]);
    expect((await search(ana, "closed"))?.results[0]).toMatchObject({
      kind: "text",
      author: ben.id,
      stands: true,
    });
    expect((await search(ana, "caretaker"))?.results[0]).toMatchObject({ kind: "comment", thread });
  });

  it("[SEARCH-2] finds every language, with and without accents and vowel signs", async () => {
    const pairs = [
      ["Crème brûlée", "creme BRULEE"],
      ["Straße nach Łódź", "strasse lodz"],
      ["图书馆星期一关闭", "星期一"],
      ["图书馆星期二开放", "期二"],
      ["東京の図書館はがら空き", "図書館"],
      ["الْمَكْتَبَةُ مُغْلَقَة", "مكتبة"],
      ["הסִּפְרִיָּה סגורה", "ספריה"],
      ["도서관은 월요일에 닫습니다", "월요일"],
      ["Библиотека закрыта", "библ"],
      ["ห้องสมุดปิดวันจันทร์", "วันจันทร์"],
      ["The 🗝️ is with Olga", "🗝"],
      ["हिन्दी पुस्तकालय", "पुस्तकालय"],
    ];
    for (const [text = "", words = ""] of pairs) {
      const document = await written(ana, text);
      expect([words, await found(ana, words)]).toEqual([words, [document]]);
    }
  });

  it("[SEARCH-3] finds deleted text with its authors and last place", async () => {
    const document = await written(ana, "Keep this. The heron nests here. And this.");
    await edit(db, ben, document, (text) => text.delete(11, 21));
    await indexDocument(db, ana, document);
    expect(await found(ana, "heron")).toEqual([]);
    const answer = await search(ana, "heron", { scope: "ever" });
    expect(answer?.results).toMatchObject([
      { document, author: ana.id, endedBy: ben.id, stands: false, gone: true, stoodAt: 2 },
    ]);
    // Standing text appears once, in its present form.
    expect((await search(ana, "keep", { scope: "ever" }))?.results).toMatchObject([
      { stands: true },
    ]);
  });

  it("[SEARCH-16] finds links by their target's title, where the reader may see it", async () => {
    const target = await newDocument(db, ana, workspace);
    await renamed(target, "Kestrel survey");
    await indexDocument(db, ana, target);
    const source = await newDocument(db, ana, workspace);
    const mallory = db.newUser("Mallory");
    const elsewhere = await newDocument(db, mallory, await newWorkspace(db, mallory));
    await asService(db, async (sql) => {
      for (const stream of [source, elsewhere])
        await sql`select write_links(${stream}, 1, ${sql.json([
          {
            target,
            block: "7-12",
            before: "See the ",
            after: " of May.",
            from: 1,
            fromTime: new Date().toISOString(),
            until: null,
            untilTime: null,
          },
        ])})`;
    });
    const about = { kind: "link", document: source, block: "7-12", target, stands: true };
    const [title, link, ...others] = (await search(ben, "kestrel"))?.results ?? [];
    expect(title).toMatchObject({ kind: "title", document: target });
    expect(link).toMatchObject({ ...about, text: "See the Kestrel survey of May." });
    expect(others).toEqual([]);
    expect(link).not.toHaveProperty("author");
    expect((await search(ben, "kestrel"))?.found).toBe(2);
    // A link has no author and no time, and exists only in the present.
    for (const asked of [{ author: ana.id }, { since: "2026-01-01" }, { at: await nowAt() }])
      expect(
        (await search(ben, "kestrel", asked))?.results.some((each) => each.kind === "link"),
      ).toBe(false);
    await renamed(target, "Falcon survey");
    await indexDocument(db, ana, target);
    expect(await found(ben, "kestrel")).toEqual([]);
    expect((await search(ben, "falcon"))?.results[1]).toMatchObject({
      ...about,
      text: "See the Falcon survey of May.",
    });
    granted(await db.append(ana, source, null, [{ type: "document.trashed", body: {} }]));
    expect(await found(ben, "falcon")).toEqual([target]);
    expect(await found(ben, "falcon", { trash: true })).toEqual([target, source]);
  });

  it("[SEARCH-4] searches the workspace as of a time, and by author and time", async () => {
    const early = await nowAt();
    const document = await written(ana, "A kingfisher was seen.");
    const between = await nowAt();
    await edit(db, ben, document, (text) => {
      text.delete(2, 10);
      text.insert(2, "cormorant");
    });
    await indexDocument(db, ana, document);
    const late = await nowAt();
    expect(await found(ana, "kingfisher", { at: early })).toEqual([]);
    expect(await found(ana, "kingfisher", { at: between })).toEqual([document]);
    expect(await found(ana, "kingfisher", { at: late })).toEqual([]);
    expect(await found(ana, "cormorant", { at: late })).toEqual([document]);
    expect(await found(ana, "cormorant", { author: ben.id })).toEqual([document]);
    expect(await found(ana, "kingfisher", { scope: "ever", author: ben.id })).toEqual([]);
    expect(await found(ana, "seen", { until: early })).toEqual([]);
    expect(await found(ana, "seen", { since: early })).toEqual([document]);
  });

  it("[SEARCH-4] finds a frequent word on a given day, newest first", async () => {
    const document = await newDocument(db, ana, workspace);
    const hour = (count: number) => new Date(Date.UTC(2026, 0, 1, count)).toISOString();
    const entry = (at: number) => {
      const isGone = at % 2 === 1;
      return {
        ...{
          place: `p${at}`,
          nth: 0,
          digest: "",
          kind: "text",
          text: "quillwort",
          thread_id: null,
        },
        ...{ class: isGone ? "g" : "n", author_id: ana.id, authors: [ana.id], named_at: [] },
        ...{ from_version: 1, from_time: hour(at), written_at: hour(at), stood_edit: null },
        ...(isGone
          ? { to_version: 1, to_time: hour(at + 100), stood_version: 1, ended_by: ana.id }
          : { to_version: null, to_time: null, stood_version: null, ended_by: null }),
      };
    };
    const entries = JSON.stringify(Array.from({ length: 5_000 }, (_, at) => entry(at)));
    await asService(
      db,
      (sql) => sql`select write_index(${document}, 1, '[]', ${entries}::text::jsonb, true)`,
    );
    const times = async (at: number) => {
      const told = await search(ana, "quillwort", { at: hour(at) });
      return told?.results.map(({ since }) => Date.parse(since ?? ""));
    };
    const newest = (last: number) =>
      Array.from({ length: 50 }, (_, back) => Date.parse(hour(last - back)));
    expect(await times(4_999)).toEqual(newest(4_999));
    expect(await times(300)).toEqual(newest(300));
    expect(await times(-1)).toEqual([]);
    // Text that was removed earlier takes no place among these results, however much there is.
    expect((await times(5_050))?.slice(0, 25)).toEqual(newest(4_999).slice(0, 25));
  });

  it("[SEARCH-5] leaves documents in the trash out unless asked for", async () => {
    const document = await written(ana, "Obsolete ptarmigan");
    granted(await db.append(ana, document, null, [{ type: "document.trashed", body: {} }]));
    expect(await found(ana, "ptarmigan")).toEqual([]);
    expect(await found(ana, "ptarmigan", { trash: true })).toEqual([document]);
  });

  it("[SEARCH-6] reads a query literally, and answers every query as fast", async () => {
    const document = await written(ana, "100% of snake_case, C:\\temp and a|b");
    for (const words of ["100%", "snake_case", "C:\\temp", "a|b", '"snake case"', "temp)", "(temp"])
      expect([words, await found(ana, words)]).toEqual([words, [document]]);
    const hostile = [
      ...Object.values(hostileWords),
      ...Object.values(bombs),
      ...["%", "_", "\\", "''", "&", "| !", ":*", "a:*b", "<->", "<2>", "((((", "'; drop table x"],
      ...["(a+)+$".repeat(500), '"'.repeat(10_000), "a ".repeat(5_000), "x".repeat(10_000)],
    ].map((words) => words.replaceAll("\0", ""));
    // The faster of two runs counts, because another process may have used the CPU.
    const timeOf = async (words: string) => {
      const times: number[] = [];
      while (times.length < 2) {
        const begun = performance.now();
        expect(await search(ana, words, { scope: "ever" })).not.toBeNull();
        times.push(performance.now() - begun);
      }
      return Math.min(...times);
    };
    const calm = Math.max(50, await timeOf("snake"));
    for (const words of hostile) expect(await timeOf(words)).toBeLessThan(20 * calm);
    expect(await found(ana, "%")).toEqual([]);
    expect(await found(ana, "x".repeat(10_000))).toEqual([]);
  });
});
