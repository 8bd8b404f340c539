import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/machines/member";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;
const people = new Map<string, User>();

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  for (const role of roles) {
    const user = db.newUser(role);
    await join(db, ana, workspace, user, role);
    people.set(role, user);
  }
  const removed = db.newUser("Dora");
  await join(db, ana, workspace, removed, "editor");
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
    ]),
  );
  people.set("removed member", removed);
  people.set("stranger", db.newUser("Mallory"));
});
afterAll(() => db.stop());

const about = (type: string, id: string, body: NewProposal["body"] = {}): NewProposal => ({
  type,
  subject: { kind: "version", id },
  body,
});
const named = (id: string, at = 1, name = "First draft") =>
  about("version.named", id, { at, name });
const head = async () =>
  Number((await db.sql`select version from documents where id = ${document}`)[0]?.version);
const seen = async (user: User) =>
  (await db.as(user, (t) => t`select id from versions where document_id = ${document}`)).length;

describe("a named version", () => {
  it("[VERSION-1] names a version that the document has reached", async () => {
    const at = await head();
    expect(verdict(await db.append(ana, document, null, [named(randomUUID(), at)]))).toBe("ok");
    expect(verdict(await db.append(ana, document, null, [named(randomUUID(), at + 2)]))).toBe(
      "invalid-event",
    );
    expect(verdict(await db.append(ana, document, null, [named(randomUUID(), 0)]))).toBe(
      "invalid-event",
    );
    // Within a batch, versions of the batch's earlier events count as reached.
    const renamed = { type: "document.renamed", body: { title: "Final" } };
    expect(
      verdict(await db.append(ana, document, at + 1, [renamed, named(randomUUID(), at + 2)])),
    ).toBe("ok");
  });

  it("[VERSION-2] is renamed and pinned, never removed or moved to another revision", async () => {
    const id = randomUUID();
    granted(
      await db.append(ana, document, null, [
        named(id, 1, "Draft"),
        about("version.pinned", id),
        about("version.renamed", id, { name: "Agreed" }),
      ]),
    );
    const row = async () =>
      (
        await db.sql`select at::int, name, pinned, phase, created_by from versions where id = ${id}`
      )[0];
    expect(await row()).toEqual({
      at: 1,
      name: "Agreed",
      pinned: true,
      phase: "pinned",
      created_by: ana.id,
    });
    expect(verdict(await db.append(ana, document, null, [named(id, 2)]))).toBe(
      "illegal-transition",
    );
    expect(verdict(await db.append(ana, document, null, [about("version.pinned", id)]))).toBe(
      "illegal-transition",
    );
    granted(await db.append(ana, document, null, [about("version.unpinned", id)]));
    expect(await row()).toMatchObject({ at: 1, pinned: false, phase: "named" });
  });

  it("[VERSION-3] is created by editors and owners and read by members", async () => {
    const given: Record<string, string> = {};
    const read: Record<string, boolean> = {};
    for (const [who, user] of people) {
      given[who] = verdict(await db.append(user, document, null, [named(randomUUID())]));
      read[who] = (await seen(user)) > 0;
    }
    expect(given).toEqual({
      owner: "ok",
      editor: "ok",
      commenter: "not-permitted",
      viewer: "not-permitted",
      "removed member": "not-permitted",
      stranger: "not-permitted",
    });
    expect(read).toEqual({
      owner: true,
      editor: true,
      commenter: true,
      viewer: true,
      "removed member": false,
      stranger: false,
    });
    await expect(db.as(null, (t) => t`select id from versions`)).rejects.toThrow(
      /permission denied/,
    );
  });

  it("[VERSION-3] cannot be made in the trash", async () => {
    granted(await db.append(ana, document, null, [{ type: "document.trashed", body: {} }]));
    expect(verdict(await db.append(ana, document, null, [named(randomUUID())]))).toBe(
      "illegal-transition",
    );
    granted(await db.append(ana, document, null, [{ type: "document.restored", body: {} }]));
  });

  it("[VERSION-2] may share its id with one of another document", async () => {
    const other = await newDocument(db, ana, workspace);
    const id = randomUUID();
    granted(await db.append(ana, document, null, [named(id, 1, "Here")]));
    granted(await db.append(ana, other, null, [named(id, 1, "There")]));
    const rows = await db.sql`select name from versions where id = ${id} order by name`;
    expect(rows.map(({ name }) => name as string)).toEqual(["Here", "There"]);
  });
});
