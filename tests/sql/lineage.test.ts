import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { copyInEvents } from "@/events/revisions/copy-in-events";
import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { attribute } from "@/events/analysis/lineage/lineage";
import { bundleLimits } from "@/events/proof/bundle-format";
import { roles } from "@/machines/member";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";
import { textblockOf } from "@/tests/support/line";

let db: TestDatabase;
let ana: User;
let ben: User;
let mallory: User;
let workspace: string;
let parent: string;

/** Appends text to a document as this person under this client id. */
async function write(
  user: User,
  document: string,
  clientID: number,
  text: string,
): Promise<string> {
  const fold = await folded(document);
  const doc = new Y.Doc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(fold.doc));
  doc.clientID = clientID;
  const before = Y.encodeStateVector(doc);
  textblockOf(doc).insert(textblockOf(doc).length, text);
  return verdict(
    await db.append(user, document, null, [
      {
        type: "document.edited",
        body: {},
        clientIds: [clientID],
        update: Y.encodeStateAsUpdate(doc, before),
      },
    ]),
  );
}

async function folded(document: string): Promise<ConfirmedDocument> {
  const fold = new ConfirmedDocument(null);
  for (const row of await db.read(ana, document)) fold.integrate(row);
  return fold;
}

const text = (fold: ConfirmedDocument) => textblockOf(fold.doc).toString();
const created = (workspaceId = workspace): NewProposal => ({
  type: "document.created",
  body: { workspaceId, title: "Copy" },
});
const versionOf = async (document: string) =>
  Number((await db.sql`select version from documents where id = ${document}`)[0]?.version);

async function forkOf(document: string, version?: number): Promise<NewProposal[]> {
  const at = version ?? (await versionOf(document));
  const state = Y.encodeStateAsUpdate((await folded(document)).doc);
  return copyInEvents(state, document).map((piece) => ({
    type: "document.forked",
    body: { document, version: at },
    ...piece,
  }));
}

async function mergeOf(source: string, into: string): Promise<NewProposal[]> {
  const state = Y.encodeStateAsUpdate(
    (await folded(source)).doc,
    Y.encodeStateVector((await folded(into)).doc),
  );
  return copyInEvents(state, source).map((piece) => ({
    type: "document.merged",
    body: { document: source, version: 1 },
    ...piece,
  }));
}

async function newFork(user: User, document = parent): Promise<string> {
  const id = randomUUID();
  granted(await db.append(user, id, 0, [created(), ...(await forkOf(document))]));
  return id;
}

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
  mallory = db.newUser("Mallory");
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
  parent = await newDocument(db, ana, workspace);
  expect(await write(ana, parent, 5, "Ana wrote this.")).toBe("ok");
  expect(await write(ben, parent, 6, " Ben too.")).toBe("ok");
});
afterAll(() => db.stop());

describe("a fork", () => {
  it("[FORK-1] begins with the other document's text, names it, and depends on nothing", async () => {
    const fork = await newFork(ben);
    expect(text(await folded(fork))).toBe("Ana wrote this. Ben too.");
    const [row] =
      await db.sql`select forked_from, forked_at::int, phase, edits::int from documents where id = ${fork}`;
    expect(row).toEqual({
      forked_from: parent,
      forked_at: await versionOf(parent),
      phase: "live",
      edits: 0,
    });
  });

  it("[FORK-2] names a version that the other document has and the caller may read", async () => {
    const [piece] = await forkOf(parent);
    if (!piece) throw new Error("nothing to carry");
    const attempt = async (
      user: User,
      body: NewProposal["body"],
      update = piece.update,
      inside = workspace,
    ) =>
      verdict(
        await db.append(user, randomUUID(), 0, [
          created(inside),
          { ...piece, body, ...(update && { update }) },
        ]),
      );
    const version = await versionOf(parent);
    expect(await attempt(ana, { document: parent, version: version + 1 })).toBe("invalid-event");
    expect(await attempt(ana, { document: randomUUID(), version: 1 })).toBe("invalid-event");
    const unheard = randomUUID();
    expect(
      await attempt(
        ana,
        { document: unheard, version: 1 },
        copyInPayload({ source: unheard, payload: Uint8Array.of(0, 0) }),
      ),
    ).toBe("not-permitted");
    const theirs = await newWorkspace(db, mallory);
    expect(await attempt(mallory, { document: parent, version }, piece.update, theirs)).toBe(
      "not-permitted",
    );
    expect(await attempt(mallory, { document: parent, version })).toBe("not-permitted");
    // An account or a workspace is not a document.
    expect(
      await attempt(
        ana,
        { document: workspace, version: 1 },
        copyInPayload({ source: workspace, payload: Uint8Array.of(0, 0) }),
      ),
    ).toBe("not-permitted");
  });

  it("[FORK-2] may be in another workspace of the same person", async () => {
    const own = await newWorkspace(db, ben);
    const id = randomUUID();
    expect(verdict(await db.append(ben, id, 0, [created(own), ...(await forkOf(parent))]))).toBe(
      "ok",
    );
  });

  it("[FORK-3] begins a document: it cannot be added to an existing one", async () => {
    const document = await newDocument(db, ana, workspace);
    expect(await write(ana, document, 5, "x")).toBe("ok");
    expect(verdict(await db.append(ana, document, null, await forkOf(parent)))).toBe(
      "illegal-transition",
    );
    const fork = await newFork(ana);
    const [again] = await forkOf(parent);
    if (!again) throw new Error("nothing to carry");
    expect(verdict(await db.append(ana, fork, null, [again]))).toBe("ok");
    expect(verdict(await db.append(ben, fork, null, [again]))).toBe("illegal-transition");
    expect(
      verdict(
        await db.append(ana, fork, null, [{ ...again, body: { document: parent, version: 1 } }]),
      ),
    ).toBe("illegal-transition");
  });

  it("[FORK-5] reserves its client ids for its source", async () => {
    const fork = await newFork(ben);
    expect(await write(ana, fork, 5, "mine?")).toBe("not-permitted");
    expect(await write(ben, fork, 6, "mine?")).toBe("not-permitted");
    expect(await write(ben, fork, 7, " A fresh id.")).toBe("ok");
    expect(text(await folded(fork))).toBe("Ana wrote this. Ben too. A fresh id.");
    const clients = (await db.as(ben, (t) => t`select read_clients(${fork}) as c`))[0]?.c as {
      clientId: number;
      source?: string;
    }[];
    expect(clients.map(({ clientId, source }) => [clientId, source])).toEqual([
      [5, parent],
      [6, parent],
      [7, undefined],
    ]);
  });

  it("[FORK-5] declares up to as many client ids as a bundle may list", async () => {
    const [piece] = await forkOf(parent);
    if (!piece?.clientIds) throw new Error("nothing to carry");
    const more = Array.from(
      { length: bundleLimits.clientIds - piece.clientIds.length },
      (_, index) => 1000 + index,
    );
    const attempt = async (clientIds: number[]) =>
      verdict(await db.append(ana, randomUUID(), 0, [created(), { ...piece, clientIds }]));
    expect(await attempt([...piece.clientIds, ...more, 7])).toBe("invalid-event");
    expect(await attempt([...piece.clientIds, ...more])).toBe("ok");
  });

  it("[FORK-4] cannot pass as an edit, nor an edit as a fork", async () => {
    const [piece] = await forkOf(parent);
    if (!piece?.update) throw new Error("nothing to carry");
    const document = await newDocument(db, ana, workspace);
    const plain = Uint8Array.of(0, 0);
    for (const type of ["document.edited", "document.reverted"])
      expect(
        verdict(
          await db.append(ana, document, null, [
            {
              type,
              body: type === "document.edited" ? {} : { toVersion: 1 },
              update: piece.update,
            },
          ]),
        ),
      ).toBe("invalid-event");
    expect(verdict(await db.append(ana, document, null, [{ ...piece, update: plain }]))).toBe(
      "invalid-event",
    );
    expect(
      verdict(
        await db.append(ana, document, null, [
          { type: "document.edited", body: {}, update: Uint8Array.of(0, 0, 4, 1) },
        ]),
      ),
    ).toBe("invalid-event");
  });

  it("[FORK-7] requires an editor of its workspace", async () => {
    const got: Record<string, string> = {};
    for (const role of roles) {
      const user = db.newUser(role);
      await join(db, ana, workspace, user, role);
      got[role] = verdict(
        await db.append(user, randomUUID(), 0, [created(), ...(await forkOf(parent))]),
      );
    }
    const dora = db.newUser("Dora");
    await join(db, ana, workspace, dora, "editor");
    granted(
      await db.append(ana, workspace, null, [
        { type: "member.removed", subject: { kind: "member", id: dora.id }, body: {} },
      ]),
    );
    got.removed = verdict(
      await db.append(dora, randomUUID(), 0, [created(), ...(await forkOf(parent))]),
    );
    expect(got).toEqual({
      owner: "ok",
      editor: "ok",
      commenter: "not-permitted",
      viewer: "not-permitted",
      removed: "not-permitted",
    });
  });
});

describe("a merge", () => {
  it("[FORK-8] brings in the fork's changes repeatedly, and keeps the parent's own", async () => {
    const fork = await newFork(ben);
    expect(await write(ben, fork, 8, " In the fork.")).toBe("ok");
    expect(await write(ana, parent, 5, " In the parent.")).toBe("ok");
    expect(verdict(await db.append(ana, parent, null, await mergeOf(fork, parent)))).toBe("ok");
    const merged = await folded(parent);
    expect(merged.anomalies).toEqual([]);
    expect(text(merged)).toContain(" In the fork.");
    expect(text(merged)).toContain(" In the parent.");
    expect(await write(ben, fork, 8, " More of it.")).toBe("ok");
    expect(verdict(await db.append(ben, parent, null, await mergeOf(fork, parent)))).toBe("ok");
    expect(text(await folded(parent))).toContain(" More of it.");
    expect(await write(ben, parent, 8, "under an id of the fork")).toBe("not-permitted");
    // In the other direction, the fork merges the parent's later changes.
    expect(verdict(await db.append(ben, fork, null, await mergeOf(parent, fork)))).toBe("ok");
    expect(text(await folded(fork))).toBe(text(await folded(parent)));
    expect((await folded(fork)).anomalies).toEqual([]);
  });

  it("[FORK-6] attributes the fork's words to their authors", async () => {
    const fork = await newFork(ana);
    expect(await write(ben, fork, 9, " By Ben.")).toBe("ok");
    const diff = Y.encodeStateAsUpdate(
      (await folded(fork)).doc,
      Y.encodeStateVector((await folded(parent)).doc),
    );
    const found = attribute(diff, await db.read(ana, fork));
    expect(found.map(({ origin }) => origin?.actorId)).toEqual([ben.id]);
  });

  it("[FORK-8] requires that one document began as a copy of the other", async () => {
    const stranger = await newDocument(db, ana, workspace);
    expect(await write(ana, stranger, 10, "x")).toBe("ok");
    expect(verdict(await db.append(ana, parent, null, await mergeOf(stranger, parent)))).toBe(
      "invalid-event",
    );
  });

  it("[FORK-5] cannot take over the client id of an author here", async () => {
    const fork = await newFork(mallory === ana ? ben : ana);
    expect(await write(ana, parent, 11, " Honest.")).toBe("ok");
    expect(await write(ben, fork, 11, " Squatted.")).toBe("ok");
    const [piece] = copyInEvents(Y.encodeStateAsUpdate((await folded(fork)).doc), fork);
    if (!piece) throw new Error("nothing to carry");
    expect(
      verdict(
        await db.append(ben, parent, null, [
          {
            type: "document.merged",
            body: { document: fork, version: 1 },
            update: piece.update,
            clientIds: [11],
          },
        ]),
      ),
    ).toBe("not-permitted");
  });
});

describe("an import", () => {
  const original = randomUUID();
  const imported = (more: NewProposal["body"] = {}): NewProposal[] =>
    copyInEvents(Y.encodeStateAsUpdate(state()), original).map((piece) => ({
      type: "document.imported",
      body: {
        document: original,
        version: 9,
        head: "a".repeat(64),
        bundle: "b".repeat(64),
        events: 9,
        label: "From the archive",
        authors: [{ name: "Ana", clients: [5] }],
        ...(more as object),
      },
      ...piece,
    }));
  function state(): Y.Doc {
    const doc = new Y.Doc();
    doc.clientID = 5;
    textblockOf(doc).insert(0, "Old words");
    return doc;
  }

  it("[IMPORT-1] begins a document with the state of a bundle, under no account", async () => {
    const id = randomUUID();
    expect(verdict(await db.append(ben, id, 0, [created(), ...imported()]))).toBe("ok");
    expect(text(await folded(id))).toBe("Old words");
    expect(await write(ben, id, 5, "x")).toBe("not-permitted");
    expect(await write(ben, id, 12, ", new words")).toBe("ok");
    expect(text(await folded(id))).toBe("Old words, new words");
  });

  it("[IMPORT-1] names its bundle, and begins a document", async () => {
    const update = copyInPayload({ source: randomUUID(), payload: Uint8Array.of(0, 0) });
    const attempts: [NewProposal[], string][] = [
      [imported({ head: "short" }), "invalid-event"],
      [imported({ authors: [{ name: "Ana" }] }), "invalid-event"],
      [imported().map((draft) => ({ ...draft, update })), "invalid-event"],
    ];
    for (const [drafts, expected] of attempts)
      expect(verdict(await db.append(ben, randomUUID(), 0, [created(), ...drafts]))).toBe(expected);
    expect(verdict(await db.append(ana, parent, null, imported()))).toBe("illegal-transition");
  });
});
