import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@/machines/member";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let carol: User;
let mallory: User;
let workspace: string;
let document: string;

const anything = Uint8Array.of(0, 0);

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
  carol = db.newUser("Carol");
  mallory = db.newUser("Mallory");
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  await join(db, ana, workspace, ben, "editor");
  granted(
    await db.append(ben, document, 1, [{ type: "document.edited", body: {}, update: anything }]),
  );
  granted(
    await db.append(ana, document, 2, [{ type: "document.edited", body: {}, update: anything }]),
  );
});
afterAll(() => db.stop());

const ask = async (user: User, type: string, body: NewProposal["body"]) =>
  verdict(await db.append(user, document, null, [{ type, body, update: anything }]));
const author = (more: Record<string, string | number | null> = {}) => ({
  kind: "author",
  author: ben.id,
  from: 2,
  to: 3,
  quote: null,
  ...more,
});
const passage = (more: Record<string, string | number | null> = {}) => ({
  kind: "passage",
  author: null,
  from: null,
  to: 2,
  quote: "It was",
  ...more,
});

describe("reverting less than a revision", () => {
  it("[REWORK-1] names a passage and its version, or an author and the versions reverted", async () => {
    expect(await ask(ana, "document.reworked", passage())).toBe("ok");
    expect(await ask(ana, "document.reworked", author())).toBe("ok");
    const wrong = [
      passage({ author: ben.id }),
      passage({ from: 1 }),
      passage({ quote: null }),
      passage({ to: 99 }),
      passage({ to: 0 }),
      author({ author: null }),
      author({ from: null }),
      author({ from: 3, to: 2 }),
      author({ quote: "x" }),
      author({ to: 99 }),
    ];
    for (const body of wrong)
      expect({ body, got: await ask(ana, "document.reworked", body) }).toEqual({
        body,
        got: "invalid-event",
      });
  });

  it("[REWORK-2] names an author who made a change in those versions", async () => {
    expect(await ask(ana, "document.reworked", author({ from: 3, to: 3 }))).toBe("invalid-event");
    expect(await ask(ana, "document.reworked", author({ author: mallory.id }))).toBe(
      "invalid-event",
    );
  });

  it("[REWORK-3] names versions that the document has, as does restoring a revision", async () => {
    expect(await ask(ana, "document.reverted", { toVersion: 3 })).toBe("ok");
    expect(await ask(ana, "document.reverted", { toVersion: 99 })).toBe("invalid-event");
  });

  it("[REWORK-4] is for editors and owners", async () => {
    const got: Record<string, string> = {};
    for (const role of roles) {
      const user = db.newUser(role);
      await join(db, ana, workspace, user, role);
      got[role] = await ask(user, "document.reworked", author());
    }
    await join(db, ana, workspace, carol, "editor");
    granted(
      await db.append(ana, workspace, null, [
        { type: "member.removed", subject: { kind: "member", id: carol.id }, body: {} },
      ]),
    );
    got.removed = await ask(carol, "document.reworked", author());
    got.stranger = await ask(mallory, "document.reworked", author());
    expect(got).toEqual({
      owner: "ok",
      editor: "ok",
      commenter: "not-permitted",
      viewer: "not-permitted",
      removed: "not-permitted",
      stranger: "not-permitted",
    });
  });
});
