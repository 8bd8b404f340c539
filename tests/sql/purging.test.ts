import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as Y from "yjs";
import { toBase64 } from "@/events/core/bytes/base64";
import { verifyChain } from "@/events/log/hash";
import { readModels } from "@/tests/fuzz/read-models";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let workspace: string;
let people: Record<string, User | null>;
let ana: User;
let ben: User;

beforeAll(async () => {
  db = await testDatabase();
  [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  workspace = await newWorkspace(db, ana);
  const others = ["Carol", "Dora", "Erin"].map((name) => db.newUser(name)) as [User, User, User];
  const [commenter, viewer, removed] = others;
  await join(db, ana, workspace, ben, "editor");
  await join(db, ana, workspace, commenter, "commenter");
  await join(db, ana, workspace, viewer, "viewer");
  await join(db, ana, workspace, removed, "editor");
  const subject = { kind: "member", id: removed.id };
  granted(await db.append(ana, workspace, null, [{ type: "member.removed", subject, body: {} }]));
  people = {
    editor: ben,
    commenter,
    viewer,
    "removed member": removed,
    stranger: db.newUser("Mallory"),
    "nobody signed in": null,
    owner: ana,
  };
});
afterAll(() => db.stop());

const act = (user: User | null, id: string, type: string, body: object = {}) =>
  db.append(user, id, null, [{ type, body: { ...body } }]);
const secret = "0000-launch";

/** Creates a document with the secret in every place that can hold words. */
async function telling(): Promise<string> {
  const id = randomUUID();
  const doc = new Y.Doc();
  doc.getText("t").insert(0, secret);
  const thread = { kind: "thread", id: randomUUID() };
  granted(
    await db.append(ana, id, 0, [
      { type: "document.created", body: { workspaceId: workspace, title: secret } },
      { type: "document.icon_set", body: { emoji: "🌊" } },
      {
        type: "document.edited",
        body: {},
        clientIds: [doc.clientID],
        update: Y.encodeStateAsUpdate(doc),
      },
      {
        type: "version.named",
        subject: { kind: "version", id: randomUUID() },
        body: { at: 2, name: secret },
      },
      {
        type: "thread.opened",
        subject: thread,
        body: { start: "AA==", end: "AA==", quote: secret },
      },
      {
        type: "comment.added",
        subject: { kind: "comment", id: randomUUID() },
        body: { thread: thread.id, text: secret },
      },
    ]),
  );
  await db.sql`select write_snapshot(${id}, 3, ${toBase64(Y.encodeStateAsUpdate(doc))})`;
  return id;
}

/** Returns the tables that contain a text, also as bytes of an update or a state. */
async function tablesWith(words: string): Promise<string[]> {
  const tables = await db.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'private')`;
  const hex = Buffer.from(words).toString("hex");
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.sql.unsafe(
      `select 1 from ${name} x where x::text like '%${words}%' or x::text like '%${hex}%' limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it("[TREE-11] is for owners alone, and only in the trash", async () => {
  const id = await newDocument(db, ana, workspace);
  expect(verdict(await act(ana, id, "document.purged"))).toBe("illegal-transition");
  granted(await act(ben, id, "document.trashed"));
  const said: Record<string, string> = {};
  for (const [who, user] of Object.entries(people))
    said[who] = await act(user, id, "document.purged").then(verdict, () => "unreachable");
  expect(said).toEqual({
    editor: "not-permitted",
    commenter: "not-permitted",
    viewer: "not-permitted",
    "removed member": "not-permitted",
    stranger: "not-permitted",
    "nobody signed in": "unreachable",
    owner: "ok",
  });
  const after = ["document.restored", "document.purged", "document.trashed", "document.moved"];
  for (const type of after)
    expect(
      verdict(
        await act(ana, id, type, type === "document.moved" ? { parent: null, after: null } : {}),
      ),
    ).toBe("illegal-transition");
});

it(
  "[TREE-11] [REDACT-7] destroys every word in one transaction; the rows stay, and the chain " +
    "verifies",
  async () => {
    const id = await telling();
    expect(await tablesWith(secret)).toEqual(
      expect.arrayContaining([
        "public.documents",
        "public.event_payloads",
        "public.versions",
        "public.threads",
        "public.comments",
        "public.snapshots",
      ]),
    );
    const before = await db.read(ana, id);
    granted(await act(ana, id, "document.trashed"));
    granted(await act(ana, id, "document.purged"));
    expect(await tablesWith(secret)).toEqual([]);
    const rows = await db.read(ana, id);
    expect(
      rows.slice(0, before.length).map(({ hash, actorId, type }) => [hash, actorId, type]),
    ).toEqual(before.map(({ hash, actorId, type }) => [hash, actorId, type]));
    expect(await verifyChain(rows)).toMatchObject({ ok: true, redacted: before.length + 1 });
    const [row] = await db.sql`select title, icon, phase from documents where id = ${id}`;
    expect(row).toEqual({ title: "", icon: null, phase: "purged" });
    const models = await readModels(db);
    await db.sql`select rebuild_projections()`;
    expect(await readModels(db)).toEqual(models);
    await expect(
      db.sql`select write_snapshot(${id}, 3, ${toBase64(Uint8Array.of(0, 0))})`,
    ).rejects.toThrow(/version-conflict/);
  },
);

it("[TREE-11] is refused while a document is inside; the branch goes from the inside", async () => {
  const [outer, inner] = [
    await newDocument(db, ana, workspace),
    await newDocument(db, ana, workspace),
  ];
  granted(await act(ana, inner, "document.moved", { parent: outer, after: null }));
  granted(await act(ana, outer, "document.trashed"));
  expect(await act(ana, outer, "document.purged")).toMatchObject({
    refusal: { name: "illegal-transition", reason: "branch-left" },
  });
  granted(
    await db.append(ana, inner, null, [
      { type: "document.trashed", body: {} },
      { type: "document.purged", body: {} },
    ]),
  );
  granted(await act(ana, outer, "document.purged"));
});

it("[TREE-11] only a recorded purge may destroy a payload this way", async () => {
  const id = await newDocument(db, ana, workspace);
  granted(await act(ana, id, "document.trashed"));
  await expect(
    db.sql`update event_payloads p set salt = null, body = private.redacted_body(p.body), redacted_by = 2
      from events e where e.id = p.event_id and e.stream_id = ${id} and e.version = 1`,
  ).rejects.toThrow(/append-only/);
});

it("[TREE-10] a template is set by writers alone, and survives a rebuild", async () => {
  const id = await newDocument(db, ana, workspace);
  const said: Record<string, string> = {};
  for (const [who, user] of Object.entries(people))
    said[who] = await act(user, id, "document.template_set", { template: true }).then(
      verdict,
      () => "unreachable",
    );
  expect(said).toEqual({
    editor: "ok",
    commenter: "not-permitted",
    viewer: "not-permitted",
    "removed member": "not-permitted",
    stranger: "not-permitted",
    "nobody signed in": "unreachable",
    owner: "ok",
  });
  for (const template of [1, null, "yes", undefined])
    expect(verdict(await act(ana, id, "document.template_set", { template }))).toBe(
      "invalid-event",
    );
  const isTemplate = async () =>
    (await db.sql`select template from documents where id = ${id}`)[0]?.["template"] as unknown;
  expect(await isTemplate()).toBe(true);
  await db.sql`select rebuild_projections()`;
  expect(await isTemplate()).toBe(true);
  granted(await act(ben, id, "document.template_set", { template: false }));
  expect(await isTemplate()).toBe(false);
});
