import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moveRefusal, treeAfter } from "@/machines/document-tree";
import type { Move } from "@/machines/document-tree";
import type { DocumentTree, Placed } from "@/machines/tree-path";
import { rankBetween } from "@/machines/document-rank";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";
import { compareTree, readModels } from "@/tests/fuzz/read-models";

let db: TestDatabase;
let workspace: string;
let people: Record<string, User | null>;
let ana: User;
let ben: User;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
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
    owner: ana,
    editor: ben,
    commenter,
    viewer,
    "removed member": removed,
    stranger: db.newUser("Mallory"),
    "nobody signed in": null,
  };
});
afterAll(() => db.stop());

const moved = ({ parent, after }: Move) => ({ type: "document.moved", body: { parent, after } });
const move = (user: User | null, id: string, parent: string | null, after: string | null = null) =>
  db.append(user, id, null, [moved({ parent, after })]);
const become = (id: string, type: string) => db.append(ana, id, null, [{ type, body: {} }]);

/** Creates documents at the top level of a workspace. */
async function begun(count: number, where = workspace): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await newDocument(db, ana, where));
  return ids;
}

const refused = async (answer: ReturnType<typeof move>) => {
  const said = await answer;
  return said.ok ? "ok" : `${said.refusal.name} ${said.refusal.reason}`;
};

async function inside(parent: string): Promise<string[]> {
  const rows = await db.sql`select id from documents where parent_id = ${parent} order by rank`;
  return rows.map(({ id }) => String(id));
}

describe("moving a document", () => {
  it("[TREE-1] is allowed to writers alone; members alone read its place", async () => {
    const [home = "", document = ""] = await begun(2);
    const said: Record<string, unknown> = {};
    for (const [who, user] of Object.entries(people)) {
      const into = await move(user, document, home).then(verdict, () => "unreachable");
      const read = await db
        .as(user, (t) => t`select parent_id from documents where id = ${document}`)
        .then(
          (rows) => rows[0]?.["parent_id"] ?? null,
          () => "refused",
        );
      said[who] = [into, read];
    }
    expect(said).toEqual({
      owner: ["ok", home],
      editor: ["ok", home],
      commenter: ["not-permitted", home],
      viewer: ["not-permitted", home],
      "removed member": ["not-permitted", null],
      stranger: ["not-permitted", null],
      "nobody signed in": ["unreachable", "refused"],
    });
  });

  it("[TREE-1] creates a document inside another one in one batch", async () => {
    const [home = ""] = await begun(1);
    const id = randomUUID();
    const created = { type: "document.created", body: { workspaceId: workspace, title: "" } };
    granted(await db.append(ben, id, 0, [created, moved({ parent: home, after: null })]));
    expect(await inside(home)).toEqual([id]);
    const lost = randomUUID();
    const nowhere = moved({ parent: randomUUID(), after: null });
    expect(verdict(await db.append(ben, lost, 0, [created, nowhere]))).toBe("invalid-event");
    expect(await db.sql`select id from documents where id = ${lost}`).toHaveLength(0);
  });

  it("[TREE-2] is refused by name and reason where it breaks the tree", async () => {
    const [a = "", b = "", away = "", within = ""] = await begun(4);
    const elsewhere = await newDocument(db, ana, await newWorkspace(db, ana));
    granted(await move(ana, b, a));
    granted(await move(ana, within, away));
    granted(await become(away, "document.trashed"));
    const said = {
      itself: await refused(move(ana, a, a)),
      "its own branch": await refused(move(ana, a, b)),
      "another workspace": await refused(move(ana, a, elsewhere)),
      "beside another workspace’s": await refused(move(ana, a, null, elsewhere)),
      nothing: await refused(move(ana, a, randomUUID())),
      "beside itself": await refused(move(ana, a, null, a)),
      "the trash": await refused(move(ana, a, away)),
      "inside the trash": await refused(move(ana, a, within)),
      "out of the trash": await refused(move(ana, within, a)),
      "while in the trash": await refused(move(ana, away, null)),
    };
    expect(said).toEqual({
      itself: "illegal-transition own-branch",
      "its own branch": "illegal-transition own-branch",
      "another workspace": "invalid-event parent-missing",
      "beside another workspace’s": "invalid-event sibling-missing",
      nothing: "invalid-event parent-missing",
      "beside itself": "invalid-event sibling-missing",
      "the trash": "illegal-transition parent-trashed",
      "inside the trash": "illegal-transition parent-trashed",
      "out of the trash": "ok",
      "while in the trash": "illegal-transition phase",
    });
    const malformed = [
      {},
      { parent: a },
      { parent: "a", after: null },
      { parent: [a], after: null },
    ];
    for (const body of malformed)
      expect(await db.append(ana, b, null, [{ type: "document.moved", body }])).toMatchObject({
        refusal: { name: "invalid-event", reason: "body-malformed" },
      });
    expect(await inside(a)).toEqual([within, b]);
  });

  it("[LIMIT-2] [TREE-2] is refused beyond 64 levels and 10 000 documents inside one", async () => {
    const chain = await begun(65);
    for (const [index, id] of chain.slice(1, 64).entries())
      granted(await move(ana, id, chain[index] ?? null));
    expect(await refused(move(ana, chain[64] ?? "", chain[63] ?? ""))).toBe(
      "too-large document_levels",
    );
    expect(await refused(move(ana, chain[64] ?? "", chain[62] ?? ""))).toBe("ok");
    const [home = "", more = ""] = await begun(2);
    await db.sql`insert into documents (version, created_at, updated_at, edits, id, workspace_id, created_by,
        updated_by, title, phase, parent_id, rank)
      select 1, now(), now(), 0, gen_random_uuid(), ${workspace}, ${ana.id}, ${ana.id}, '', 'live', ${home},
        to_hex(2147483648 + n) from generate_series(1, 9999) as n`;
    expect(await refused(move(ana, more, home))).toBe("ok");
    const [one = ""] = await begun(1);
    expect(await refused(move(ana, one, home))).toBe("too-large document_children");
    expect(await refused(move(ana, more, home))).toBe("ok");
    await db.sql`delete from documents where parent_id = ${home} and id <> ${more}`;
  });

  it("[TREE-2] is refused where no rank is left between two others", async () => {
    const [left = "", right = ""] = await begun(2);
    const high = `80000000${"0".repeat(992)}1`;
    const before = await db.sql`select id, rank from documents where id in (${left}, ${right})`;
    const list = await newDocument(db, ana, workspace);
    for (const id of [left, right]) granted(await move(ana, id, list));
    await db.sql`update documents set rank = case id when ${left} then '80000000' else ${high} end
      where id in (${left}, ${right})`;
    const [third = ""] = await begun(1);
    expect(await refused(move(ana, third, list, left))).toBe("illegal-transition no-room-between");
    expect(await refused(move(ana, third, list, right))).toBe("ok");
    expect(before).toHaveLength(2);
    for (const id of [left, right, third]) granted(await move(ana, id, null));
  });

  it("[TREE-4] accepts one of two moves that together would make a cycle", async () => {
    for (let round = 0; round < 12; round += 1) {
      const [a = "", b = ""] = await begun(2);
      const said = await Promise.all([refused(move(ana, a, b)), refused(move(ben, b, a))]);
      expect([...said].sort()).toEqual(["illegal-transition own-branch", "ok"]);
    }
  });

  it("[TREE-4] gives each of many concurrent moves into one document a distinct rank", async () => {
    const [home = "", ...ids] = await begun(13);
    const said = await Promise.all(
      ids.map((id, index) => move(index % 2 === 0 ? ana : ben, id, home)),
    );
    expect(said.map(verdict)).toEqual(ids.map(() => "ok"));
    expect([...(await inside(home))].sort()).toEqual([...ids].sort());
    const ranks = await db.sql`select distinct rank from documents where parent_id = ${home}`;
    expect(ranks).toHaveLength(12);
  });
});

describe("the trash and the tree", () => {
  it("[TREE-5] [TREE-6] a branch goes and returns by one event; a trashed document leaves it", async () => {
    const [a = "", b = "", c = ""] = await begun(3);
    granted(await move(ana, b, a));
    granted(await move(ana, c, b));
    granted(await become(c, "document.trashed"));
    granted(await become(a, "document.trashed"));
    granted(await become(a, "document.restored"));
    expect(await inside(a)).toEqual([b]);
    expect(await inside(b)).toEqual([c]);
    granted(await become(b, "document.trashed"));
    granted(await become(c, "document.restored"));
    expect(await inside(a)).toEqual([b, c]);
    expect(await inside(b)).toEqual([]);
  });
});

describe("the tree in SQL and in TypeScript", () => {
  it("[TREE-4] is the same after random moves by three people and a rebuild", async () => {
    const own = await newWorkspace(db, ana);
    const carol = db.newUser("Carol");
    await join(db, ana, own, ben, "editor");
    await join(db, ana, own, carol, "editor");
    const users = [ana, ben, carol];
    const ids = await begun(6, own);
    const [stranger = ""] = await begun(1);
    let tree: DocumentTree = new Map<string, Placed>();
    for (const id of ids) tree = treeAfter(tree, { id, type: "document.created", body: {} });
    const place = fc.option(fc.constantFrom(...ids, ...ids, stranger), { freq: 5 });
    const steps = fc.sample(
      fc.record({
        who: fc.nat(2),
        id: fc.constantFrom(...ids),
        parent: place,
        after: place,
        type: fc.constantFrom(
          "moved",
          "moved",
          "moved",
          "moved",
          "trashed",
          "restored",
          "restored",
        ),
      }),
      { seed: 12, numRuns: 500 },
    );
    const tally: Record<string, number> = {};
    for (const { who, id, parent, after, type } of steps) {
      const kind = `document.${type}`;
      const body = type === "moved" ? { parent, after } : {};
      const isLive = tree.get(id)?.phase === "live";
      const predicted =
        isLive !== (type !== "restored")
          ? "illegal-transition phase"
          : type === "moved"
            ? moveRefusal(tree, id, { parent, after })
            : null;
      const said = await refused(db.append(users[who] ?? ana, id, null, [{ type: kind, body }]));
      expect({ type, said }).toEqual({
        type,
        said:
          predicted === null
            ? "ok"
            : typeof predicted === "string"
              ? predicted
              : `${predicted.name} ${predicted.reason}`,
      });
      tally[said] = (tally[said] ?? 0) + 1;
      if (said === "ok") tree = treeAfter(tree, { id, type: kind, body });
      await compareTree(db, own, tree);
    }
    expect(Object.keys(tally).sort()).toEqual([
      "illegal-transition own-branch",
      "illegal-transition parent-trashed",
      "illegal-transition phase",
      "invalid-event parent-missing",
      "invalid-event sibling-missing",
      "ok",
    ]);
    expect(tally["ok"] ?? 0).toBeGreaterThan(150);
    const before = await readModels(db);
    await db.sql`select rebuild_projections()`;
    expect(await readModels(db)).toEqual(before);
    await compareTree(db, own, tree);
  });

  it("[TREE-4] gives the same ranks between any two documents", async () => {
    const ranks = ["80000000"];
    for (const place of fc.sample(fc.nat(), { seed: 13, numRuns: 400 })) {
      // Half of the documents are placed in the same gap, which makes the ranks long.
      const at = place % 2 === 0 ? (place >> 1) % (ranks.length + 1) : Math.min(3, ranks.length);
      const [low, high] = [ranks[at - 1] ?? null, ranks[at] ?? null];
      const [row] = await db.sql`select private.rank_between(${low}, ${high}) as rank`;
      const rank = rankBetween(low, high);
      expect(row?.rank).toBe(rank);
      ranks.splice(at, 0, rank);
    }
    expect([...ranks].sort((a, b) => (a < b ? -1 : 1))).toEqual(ranks);
    expect(Math.max(...ranks.map(({ length }) => length))).toBeGreaterThan(20);
  });
});
