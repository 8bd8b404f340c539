import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldText } from "@/events/core/text/folded-text";
import { searchedWords } from "@/events/core/text/searched-words";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

/** Returns which of the texts match these words in the database. */
async function matched(texts: readonly string[], words: string): Promise<boolean[]> {
  const rows = await db.sql<{ found: boolean }[]>`
    select private.search_vector(text, '1n') @@ private.search_query(${words}, '1n') as found
    from unnest(${[...texts]}::text[]) with ordinality as given (text, n) order by n`;
  return rows.map(({ found }) => found);
}
const marked = (texts: readonly string[], words: string) =>
  texts.map((text) => searchedWords(text, words) !== null);

/** Whether a letter was added in Unicode 16 or later, which PostgreSQL 17 does not know. */
const isNewer = (code: number) =>
  [
    [0x1c89, 0x1c89],
    [0xa7cb, 0xa7f1],
    [0x105c9, 0x105e4],
    [0x10d50, 0x10d65],
    [0x16ea0, 0x16eb8],
    [0x1ccd6, 0x1ccf9],
  ].some(([from = 0, to = 0]) => code >= from && code <= to);

describe("a search", () => {
  it("[SEARCH-2] folds every letter alike in SQL and in TypeScript", async () => {
    const codes = Array.from({ length: 0x3_0000 }, (_, code) => code).filter(
      (code) => code > 0 && (code < 0xd800 || code > 0xf8ff),
    );
    const rows = await db.sql<{ code: number; folded: string }[]>`
      select code, private.folded(chr(code)) as folded from unnest(${codes}::int[]) as code`;
    const differing = rows.filter(
      ({ code, folded }) => !isNewer(code) && foldText(String.fromCodePoint(code)).text !== folded,
    );
    expect(differing.map(({ code }) => code.toString(16))).toEqual([]);
  });

  it("[SEARCH-12] marks its words in every script as the database matches them", async () => {
    const texts = [
      "From January the library is closed on Mondays.",
      "It’s Zoë’s crème brûlée, 2,400 of them",
      "图书馆星期一关闭，ABC好",
      "「がくせい」ガ行",
      "المكتبة مغلقة والمكتبة",
      "הספרייה סגורה בשבת",
      "도서관은 월요일에",
      "ΟΔΟΣ ΑΓΊΟΥ",
      "one_two-three/four",
      "x".repeat(60),
      "🗝️🔑 keys",
      "",
    ];
    const asked = [
      ...["closed", "clos", "lo", "on closed", '"closed on"', '"on closed"', "zoe", "zoe's"],
      ...[
        "2,400",
        '"2 400"',
        "图书",
        "书",
        "星期一",
        "期一关",
        "好",
        "abc好",
        "がく",
        "ガ",
        "がガ",
      ],
      ...["مكتبة", "المكتبة", "مغلق", "ספרייה", "שבת"],
      ...["월요", "οδος", "αγιου", "two three"],
      ...['"two three"', "two-thr", "x".repeat(50), "x".repeat(39), "🔑", "🗝", "%", '"', "a"],
    ];
    for (const words of asked)
      expect([words, marked(texts, words)]).toEqual([words, await matched(texts, words)]);
  });

  it("[SEARCH-12] marks random words as the database matches them", async () => {
    const pieces = [
      "ab",
      "a",
      "Ábc",
      " ",
      " ",
      '"',
      "图",
      "书",
      "-",
      "'",
      "и",
      "ال",
      "مكت",
      "ה",
      "ספר",
      "1",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 20 }),
        text,
        async (texts, words) => {
          expect(marked(texts, words)).toEqual(await matched(texts, words));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("[SEARCH-12] gives the range of each match, from first to last letter", () => {
    const rangesOf = (text: string, words: string) =>
      searchedWords(text, words)?.map(({ from, to }) => text.slice(from, to));
    expect(rangesOf("Zoë likes ZOE", "zoe")).toEqual(["Zoë", "ZOE"]);
    expect(rangesOf("closed on Mondays, closed", '"closed on" closed')).toEqual([
      "closed on",
      "closed",
    ]);
    expect(rangesOf("On it: closed on Mondays", "closed on mon")).toEqual(["closed on Mondays"]);
    expect(rangesOf("图书馆星期一", "星期")).toEqual(["星期"]);
    expect(rangesOf("والمكتبة هنا", "مكتبة")).toEqual(["مكتبة"]);
    expect(rangesOf("cafe\u0301s", "café")).toEqual(["cafe\u0301s"]);
  });
});
