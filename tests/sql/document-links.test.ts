import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { newestSchema } from "@/events/content/text-schema";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
let target: string;
let source: string;
let elsewhere: string;
let people: Record<string, User | null>;

const time = (minute: number) => new Date(Date.UTC(2026, 10, 24, 10, minute)).toISOString();
const link = (of: object) => ({
  target,
  block: "7-12",
  before: "The deposits are in ",
  after: ".",
  from: 1,
  fromTime: time(0),
  until: null,
  untilTime: null,
  ...of,
});
const write = (stream: string, links: object[] | null, seen = 1) =>
  db.sql`select write_links(${stream}, ${seen}, ${
    links === null ? null : db.sql.json(JSON.parse(JSON.stringify(links)))
  })`;
const linksTo = async (user: User | null, document: string, at: string | null = null) => {
  const rows = await db
    .as(
      user,
      (t) => t<{ links: { before: string }[] }[]>`select links_to(${document}, ${at}) as links`,
    )
    .catch((error: Error) => (/permission denied/.test(error.message) ? "denied" : error.message));
  return typeof rows === "string" ? rows : (rows[0]?.links ?? []).map(({ before }) => before);
};

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  const [editor, viewer, removed] = [db.newUser("Ben"), db.newUser("Carol"), db.newUser("Dora")];
  await join(db, ana, workspace, editor, "editor");
  await join(db, ana, workspace, viewer, "viewer");
  await join(db, ana, workspace, removed, "editor");
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
      { type: "workspace.history_graded", body: { viewer: "versions", commenter: "versions" } },
    ]),
  );
  const stranger = db.newUser("Mallory");
  people = { owner: ana, editor, viewer, "removed member": removed, stranger, nobody: null };
  target = await newDocument(db, ana, workspace);
  source = await newDocument(db, ana, workspace);
  elsewhere = await newDocument(db, stranger, await newWorkspace(db, stranger));
  await write(source, [
    link({ before: "It is in ", until: 2, untilTime: time(5) }),
    link({ from: 2, fromTime: time(5) }),
  ]);
  await write(elsewhere, [link({ before: "Secret of Mallory: " })]);
});
afterAll(() => db.stop());

const editOf = (client: number) => ({
  type: "document.edited",
  body: {},
  clientIds: [client],
  update: Uint8Array.of(1, client),
});

/** Appends an edit in the newest schema, which may contain links. */
const edit = async (document: string) => {
  const update = Uint8Array.of(1, document.length);
  const edited = { type: "document.edited", body: {}, clientIds: [4_712], update };
  granted(await db.append(ana, document, null, [{ ...edited, schema: newestSchema }]));
};
const asked = async (at: string | null) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(people).map(async ([role, user]) => [role, await linksTo(user, target, at)]),
    ),
  );

describe("the links to a document", () => {
  it("[LINK-32] are shown to readers, from documents that they may read", async () => {
    const now = ["The deposits are in "];
    expect(await asked(null)).toEqual({
      owner: now,
      editor: now,
      viewer: now,
      "removed member": [],
      stranger: [],
      nobody: "denied",
    });
  });

  it("[LINK-32] are shown in the past to readers of histories alone", async () => {
    const then = ["It is in "];
    expect(await asked(time(3))).toEqual({
      owner: then,
      editor: then,
      viewer: [],
      "removed member": [],
      stranger: [],
      nobody: "denied",
    });
    expect(await linksTo(ana, target, time(-1))).toEqual([]);
    expect(await linksTo(ana, target, time(5))).toEqual(["The deposits are in "]);
  });

  it("[LINK-33] are retried after ten minutes, so that other documents have their turn", async () => {
    const poisoned = await newDocument(db, ana, workspace);
    await edit(poisoned);
    const unlinked = async () => {
      const [row] = await db.sql<{ all: { stream: string }[] }[]>`select read_unlinked(64) as all`;
      return (row?.all ?? []).map(({ stream }) => stream);
    };
    expect(await unlinked()).toContain(poisoned);
    await db.sql`select rest_links(${poisoned})`;
    expect(await unlinked()).not.toContain(poisoned);
    await db.sql`
      update private.link_states set failed_at = now() - interval '11 minutes'
      where stream_id = ${poisoned}`;
    expect(await unlinked()).toContain(poisoned);
  });

  it("[LINK-32] show restricted readers no words that may be deleted by now", async () => {
    const { owner = null, viewer = null } = people;
    const edited = await newDocument(db, ana, workspace);
    await write(edited, [link({ before: "Known: " })]);
    const both = async () => [
      (await linksTo(owner, target)).includes("Known: "),
      (await linksTo(viewer, target)).includes("Known: "),
    ];
    expect(await both()).toEqual([true, true]);
    // Another edit follows, and the links of the new text are not known yet.
    await edit(edited);
    expect(await both()).toEqual([true, false]);
    await write(edited, [link({ before: "Known: " })], 2);
    expect(await both()).toEqual([true, true]);
    await db.sql`update private.link_states set whole = false where stream_id = ${edited}`;
    expect(await both()).toEqual([true, false]);
    await write(edited, [], 2);
  });

  it.each([
    ["an edit of the first schema", () => ({ ...editOf(1), schema: 1 })],
    ["an edit of the newest schema", () => ({ ...editOf(2), schema: newestSchema })],
    ["an event without text", () => ({ type: "document.renamed", body: { title: "B" } })],
  ])("[LINK-34] become stale with an event after the derived version: %s", async (_name, event) => {
    const { owner = null, viewer = null } = people;
    const edited = await newDocument(db, ana, workspace);
    await write(edited, [link({ before: "Deleted soon: " })]);
    const tells = async (user: User | null) =>
      (await linksTo(user, target)).includes("Deleted soon: ");
    expect(await tells(viewer)).toBe(true);
    granted(await db.append(ana, edited, null, [event()]));
    expect([await tells(owner), await tells(viewer)]).toEqual([true, false]);
    // The service is asked to derive the links again, and learns whether the text may have changed.
    const [row] = await db.sql<{ all: object[] }[]>`select read_unlinked(64) as all`;
    expect(row?.all).toContainEqual({
      stream: edited,
      version: 1,
      head: 2,
      links: 1,
      written: "update" in event(),
    });
    await db.sql`select write_links(${edited}, 2, null, null)`;
    expect([await tells(owner), await tells(viewer)]).toEqual([true, true]);
    await write(edited, [], 2);
  });

  it("[LINK-32] leave out documents in the trash", async () => {
    const trashed = await newDocument(db, ana, workspace);
    await write(trashed, [link({ before: "Trash: " })]);
    expect(await linksTo(ana, target)).toContain("Trash: ");
    granted(await db.append(ana, trashed, null, [{ type: "document.trashed", body: {} }]));
    expect(await linksTo(ana, target)).toEqual(["The deposits are in "]);
  });

  it("[LINK-31] are written by the service alone, from this log, and never go back", async () => {
    for (const user of Object.values(people)) {
      await expect(db.as(user, (t) => t`select read_unlinked()`)).rejects.toThrow("denied");
      await expect(db.as(user, (t) => t`select write_links(${source}, 1, '[]')`)).rejects.toThrow(
        "denied",
      );
      await expect(db.as(user, (t) => t`select * from private.document_links`)).rejects.toThrow(
        "denied",
      );
    }
    await expect(write(source, [], 99)).rejects.toThrow("invalid-event");
    const document = await newDocument(db, ana, workspace);
    granted(
      await db.append(ana, document, null, [{ type: "document.renamed", body: { title: "B" } }]),
    );
    await write(document, [link({ before: "New: " })], 2);
    await write(document, [], 1);
    expect(await linksTo(ana, target)).toContain("New: ");
    await write(document, null, 2);
    expect(await linksTo(ana, target)).toContain("New: ");
    await write(document, [], 2);
    expect(await linksTo(ana, target)).not.toContain("New: ");
  });

  it("[LINK-31] are due after an edit of a text with links, and go with a redaction", async () => {
    const document = await newDocument(db, ana, workspace);
    const due = async () => {
      const [row] = await db.sql<{ due: { stream: string }[] }[]>`select read_unlinked(64) as due`;
      return (row?.due ?? []).some(({ stream }) => stream === document);
    };
    await write(document, null, 1);
    expect(await due()).toBe(false);
    const doc = new Y.Doc();
    doc.clientID = 4_711;
    doc.getXmlFragment("default").insert(0, [new Y.XmlElement("paragraph")]);
    const update = encodeEdits([
      { update: Y.encodeStateAsUpdate(doc), time: Date.UTC(2026, 10, 24) },
    ]);
    granted(
      await db.append(ana, document, null, [
        { type: "document.edited", body: {}, clientIds: [4_711], update, schema: newestSchema },
      ]),
    );
    expect(await due()).toBe(true);
    await write(document, [link({ before: "Leaked: " })], 2);
    expect(await due()).toBe(false);
    expect(await linksTo(ana, target)).toContain("Leaked: ");
    await db.sql`select private.drop_caches(${document})`;
    expect(await linksTo(ana, target)).not.toContain("Leaked: ");
    expect(await due()).toBe(true);
  });
});
