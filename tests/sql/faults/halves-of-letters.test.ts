import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { edit, indexDocument, searched } from "@/tests/support/database/search-index";
import { granted, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());

it.each(["a \ud83d lamp", "a\0 lamp", "a \ude00 lamp", "lamp \ude00\ud83d", "😀 lamp 👩‍👩‍👧‍👦"])(
  "[LOG-79] [SEARCH-1] a text, title and comment with surrogates are kept and found: %j",
  async (words) => {
    const document = await newDocument(db, ana, workspace);
    await edit(db, ana, document, (textblock) => textblock.insert(0, words));
    const thread = randomUUID();
    granted(
      await db.append(ana, document, null, [
        { type: "document.renamed", body: { title: words } },
        {
          type: "thread.opened",
          subject: { kind: "thread", id: thread },
          body: { start: "AA==", end: "AQ==", quote: words },
        },
        {
          type: "comment.added",
          subject: { kind: "comment", id: randomUUID() },
          body: { thread, text: words },
        },
      ]),
    );
    await indexDocument(db, ana, document);
    const found = await searched(db, ana, workspace, "lamp");
    expect(found?.results.map((each) => each.document)).toContain(document);
    const shown = words.replace("\0", "").replace(/\p{Cs}/gu, "\ufffd");
    const [row] = await db.sql`select title from public.documents where id = ${document}`;
    expect(row?.["title"]).toBe(shown);
  },
);
