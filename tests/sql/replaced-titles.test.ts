import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json, RawProposal } from "@/events/core/envelope";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let workspace: string;
let ana: User;
let ben: User;

beforeAll(async () => {
  db = await testDatabase();
  [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "owner");
});
afterAll(() => db.stop());

const replaced = { ok: false, refusal: { name: "version-conflict", reason: "replaced-since" } };
const renamed = (title: string, replaces?: string) => ({
  id: randomUUID(),
  type: "document.renamed",
  body: { title },
  ...(replaces !== undefined && { replaces }),
});

it("[TITLE-6] refuses a title that replaces another than the current one, and records nothing", async () => {
  const document = await newDocument(db, ana, workspace);
  granted(await db.append(ana, document, null, [renamed("Minutes")]));
  granted(await db.append(ana, document, null, [renamed("Minutes of May", "Minutes")]));
  expect(await db.append(ben, document, null, [renamed("Draft", "Minutes")])).toMatchObject(
    replaced,
  );
  const [row] = await db.sql`select title, version::int from documents where id = ${document}`;
  expect(row).toEqual({ title: "Minutes of May", version: 3 });
  granted(await db.append(ben, document, null, [renamed("Draft", "Minutes of May")]));
  // Without `replaces`, a title replaces any other title.
  granted(await db.append(ana, document, null, [renamed("Agenda")]));
  const rows = await db.read(ana, document);
  expect(rows.at(-2)?.body).toEqual({ title: "Draft" });
});

it("[TITLE-6] compares each event of a batch with the result of those before it", async () => {
  const document = await newDocument(db, ana, workspace);
  granted(
    await db.append(ana, document, null, [renamed("a"), renamed("b", "a"), renamed("", "b")]),
  );
  granted(await db.append(ana, document, null, [renamed("c", "")]));
  expect(
    await db.append(ana, document, null, [renamed("d", "c"), renamed("e", "c")]),
  ).toMatchObject(replaced);
  const [row] = await db.sql`select title from documents where id = ${document}`;
  expect(row).toEqual({ title: "c" });
});

it("[TITLE-6] repeats the ruling of a recorded title, whatever the title is now", async () => {
  const document = await newDocument(db, ana, workspace);
  const first = renamed("Minutes", "");
  const title = await db.sql`select title from documents where id = ${document}`;
  first.replaces = String(title[0]?.["title"]);
  const ruling = await db.append(ana, document, null, [first]);
  granted(await db.append(ben, document, null, [renamed("Agenda", "Minutes")]));
  expect(await db.append(ana, document, null, [first])).toEqual(ruling);
});

it("[VERSION-4] refuses a version’s name that replaces another than the current one", async () => {
  const document = await newDocument(db, ana, workspace);
  const subject = { kind: "version", id: randomUUID() };
  const name = (type: string, body: Json, replaces?: string) => ({
    id: randomUUID(),
    type,
    body,
    subject,
    ...(replaces !== undefined && { replaces }),
  });
  granted(await db.append(ana, document, null, [name("version.named", { at: 1, name: "Draft" })]));
  granted(
    await db.append(ben, document, null, [
      name("version.renamed", { name: "First draft" }, "Draft"),
    ]),
  );
  expect(
    await db.append(ana, document, null, [
      name("version.renamed", { name: "Draft of May" }, "Draft"),
    ]),
  ).toMatchObject(replaced);
  granted(
    await db.append(ana, document, null, [
      name("version.renamed", { name: "First draft of May" }, "First draft"),
    ]),
  );
  const [row] = await db.sql`select name from versions where id = ${subject.id}`;
  expect(row).toEqual({ name: "First draft of May" });
});

it("[TITLE-6] does the same for a workspace's name and an icon, with an empty text for none", async () => {
  const own = await newWorkspace(db, ana);
  const [{ name } = { name: "" }] = await db.sql<{ name: string }[]>`
    select name from workspaces where id = ${own}`;
  const named = (to: string, replaces: string): RawProposal => ({
    id: randomUUID(),
    type: "workspace.renamed",
    body: { name: to },
    replaces,
  });
  granted(await db.append(ana, own, null, [named("Library", name)]));
  expect(await db.append(ana, own, null, [named("Harbour", name)])).toMatchObject(replaced);

  const document = await newDocument(db, ana, own);
  const icon = (emoji: string | null, replaces: string): RawProposal => ({
    id: randomUUID(),
    type: "document.icon_set",
    body: { emoji },
    replaces,
  });
  granted(await db.append(ana, document, null, [icon("📘", "")]));
  expect(await db.append(ana, document, null, [icon("📗", "")])).toMatchObject(replaced);
  granted(await db.append(ana, document, null, [icon(null, "📘")]));
});

it("[TITLE-6] refuses a value that is no text, for renames alone", async () => {
  const document = await newDocument(db, ana, workspace);
  const sent = (replaces: unknown) => {
    const events = [
      { id: randomUUID(), type: "document.renamed", body: '{"title":"x"}', replaces },
    ];
    return db.as(
      ana,
      (t) => t`select append_events(${document}, null, ${JSON.stringify(events)}::text::jsonb)`,
    );
  };
  for (const replaces of [1, true, {}, []])
    await expect(sent(replaces)).rejects.toThrow("invalid-event");
  await sent(null);
  granted(
    await db.append(ana, document, null, [
      { id: randomUUID(), type: "document.trashed", body: {}, replaces: "anything" },
    ]),
  );
});

it("[TITLE-6] [LOG-29] accepts one of several renames that race for a title", async () => {
  const document = await newDocument(db, ana, workspace);
  granted(await db.append(ana, document, null, [renamed("Begun")]));
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      db.append(at % 2 === 0 ? ana : ben, document, null, [renamed(`Title ${at}`, "Begun")]),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject(replaced);
});
