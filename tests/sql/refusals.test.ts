import { afterAll, beforeAll, expect, it } from "vitest";
import { limits } from "@/events/core/limits";
import { refusalNames, refusalReasons } from "@/events/log/refusal-reasons";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";
import { newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

/** Returns every call of these functions in all other functions, with its first arguments. */
async function calls(name: "refuse" | "refuse_limit"): Promise<string[]> {
  const rows = await db.sql<{ source: string }[]>`
    select prosrc as source from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and proname <> 'refuse_limit'`;
  return rows.flatMap(({ source }) =>
    [...source.matchAll(new RegExp(`private\\.${name}\\(([^\\n]*)`, "g"))].map(
      ([, text = ""]) => text,
    ),
  );
}

it("[LOG-63] the list has exactly the reasons that the database gives", async () => {
  const given = (await calls("refuse")).map((text) => {
    const [, name, reason] = /^'([a-z-]+)', '([a-z0-9-]+)',/.exec(text) ?? [];
    return name && reason ? `${name} ${reason}` : `not literal: ${text}`;
  });
  const listed = refusalNames.flatMap((name) =>
    refusalReasons[name].map((reason) => `${name} ${reason}`),
  );
  expect([...new Set(given)].sort()).toEqual([...listed].sort());
});

it("[LOG-63] every limit that refuses an append is one of the code's", async () => {
  const literal = (await calls("refuse_limit")).flatMap(
    (text) => /^'(\w+)'\)/.exec(text)?.[1] ?? [],
  );
  expect(literal.length).toBeGreaterThan(0);
  for (const name of literal) expect(Object.keys(limits)).toContain(name);
});

it("[LOG-63] a refusal has its reason in the error's hint, and its sentence in the detail", async () => {
  const [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  const document = await newDocument(db, ana, await newWorkspace(db, ana));
  const renamed = { type: "document.renamed", body: { title: "T" } };
  expect(await db.append(ana, document, 7, [renamed])).toEqual({
    ok: false,
    refusal: {
      name: "version-conflict",
      reason: "stale-version",
      detail: "the stream is at version 1",
    },
  });
  expect(await db.append(ben, document, null, [renamed])).toMatchObject({
    refusal: { name: "not-permitted", reason: "no-access" },
  });
});
