import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { rowsAtATime } from "@/events/core/pages";
import { aboveOf, insideOf, rowsOf } from "@/machines/tree-rows";
import { placedDocuments, treeOfRows } from "@/components/workspace-state/placed-documents";
import { documentRow } from "@/events/read-models/document-rows";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { fillWorkspace, longest } from "@/tests/support/writers/full-workspace";
import { join, newWorkspace } from "@/tests/support/writers/workspaces";

const rowWithId = z.looseObject({ id: z.string() });
const answer = z.object({
  workspaces: z.array(rowWithId),
  documents: z.array(rowWithId),
  tree: z.array(
    z.object({
      id: z.string(),
      level: z.int(),
      position: z.int(),
      size: z.int(),
      hasInside: z.boolean(),
    }),
  ),
  members: z.array(z.looseObject({ user_id: z.string() })),
  invitations: z.array(rowWithId),
  personal: z.nullable(z.object({ unread: z.record(z.string(), z.int()) })),
  counts: z.record(z.string(), z.int()),
});

let db: TestDatabase;
let workspace: string;
let ana: User;
let ben: User;

beforeAll(async () => {
  db = await testDatabase();
  [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "viewer");
  await fillWorkspace(db.sql, workspace, ana.id, longest);
});
afterAll(() => db.stop());

const windowOf = async (user: User | null, here: string | null = null, place = workspace) => {
  const [row] = await db.as(
    user,
    (t) =>
      t<
        { seen: unknown }[]
      >`select read_workspace_window(${place}, ${here}, ${rowsAtATime}) as seen`,
  );
  return answer.parse(row?.seen);
};

describe("[DOCS-19] for a workspace at its limits, the database answers", () => {
  it("with the first rows and the length of each list", async () => {
    const { documents, tree, members, invitations, personal, counts } = await windowOf(ana);
    expect(counts).toMatchObject({
      all: longest.documents,
      everybody: longest.members + 1,
      // Ben's own invitation is one more: a link that is still valid.
      invitations: longest.invitations + 1,
    });
    expect(tree.length).toBe(rowsAtATime);
    expect(invitations.length).toBe(rowsAtATime);
    expect(members.length).toBeGreaterThanOrEqual(rowsAtATime);
    expect(members.length).toBeLessThanOrEqual(3 * rowsAtATime + 1);
    expect(documents.length).toBeLessThanOrEqual(5 * rowsAtATime);
    expect(Object.keys(personal?.unread ?? {}).length).toBeLessThanOrEqual(documents.length);
  });

  it("with the first rows of the tree, and with the open document in any place", async () => {
    const rows = await db.sql`select to_jsonb(d) as row from public.documents d`;
    const all = rows.map(({ row }) => documentRow.parse(row));
    const { live } = placedDocuments(all, treeOfRows(all));
    const inside = insideOf(live);
    const deep = live.filter(({ parent, rank }) => parent !== null && rank > "80003000");
    for (const here of [null, deep[0]?.id ?? "", deep.at(-1)?.id ?? ""]) {
      const above = new Set(aboveOf(live, here ?? undefined).map(({ id }) => id));
      const placed = rowsOf(inside, (id) => above.has(id)).map(({ document, ...place }) => ({
        id: document.id,
        ...place,
      }));
      const first = placed.slice(0, rowsAtATime);
      const own = placed.filter(({ id }) => id === here && !first.some((each) => each.id === id));
      expect((await windowOf(ana, here)).tree).toEqual([...first, ...own]);
    }
    expect((await windowOf(ana)).counts).toMatchObject({ live: live.length });
  });

  it("with the newest documents, unread and read, and those in the trash", async () => {
    const rows = await db.sql`select to_jsonb(d) as row from public.documents d`;
    const all = rows.map(({ row }) => documentRow.parse(row));
    const { live, trashed } = placedDocuments(all, treeOfRows(all));
    const { documents, personal, counts } = await windowOf(ana);
    const brought = new Set(documents.map(({ id }) => id));
    const news = live.filter(({ updatedBy }) => updatedBy !== ana.id);
    expect(counts).toMatchObject({ unread: news.length });
    const oldestOf = (list: typeof live) => list[rowsAtATime - 1]?.updatedAt ?? "";
    for (const list of [
      news,
      live.filter(({ updatedBy }) => updatedBy === ana.id),
      trashed.filter(({ trashedIn }) => trashedIn === null),
    ]) {
      const newer = list.filter(({ updatedAt }) => updatedAt > oldestOf(list));
      expect(newer.filter(({ id }) => !brought.has(id))).toEqual([]);
    }
    for (const { id } of news) if (brought.has(id)) expect(personal?.unread[id]).toBe(0);
  });
});

describe("[DOCS-19] a window of a workspace", () => {
  it("holds all rows of a small one", async () => {
    const carol = db.newUser("Carol");
    const small = await newWorkspace(db, carol);
    await fillWorkspace(db.sql, small, carol.id, { documents: 60, members: 50, invitations: 40 });
    const { documents, members, invitations, workspaces } = await windowOf(carol, null, small);
    expect([documents.length, members.length, invitations.length]).toEqual([60, 50, 40]);
    expect(workspaces).toEqual([expect.objectContaining({ id: small })]);
  });

  it("is empty for a stranger, and refused to a visitor", async () => {
    const { documents, tree, members, invitations, personal, counts } = await windowOf(
      db.newUser("Mallory"),
    );
    expect([documents, tree, members, invitations, personal]).toEqual([[], [], [], [], null]);
    expect(Object.values(counts).every((count) => count === 0)).toBe(true);
    await expect(windowOf(null)).rejects.toThrow(/permission denied/);
  });

  it("shows a viewer the rows that the tables show", async () => {
    const { documents, members } = await windowOf(ben);
    const ids = documents.map(({ id }) => id);
    const shown = await db.as(
      ben,
      (t) =>
        t<{ row: unknown }[]>`select to_jsonb(d) as row from documents d where id = any(${ids})`,
    );
    const byId = (rows: { id: string }[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(documents)).toEqual(byId(shown.map(({ row }) => rowWithId.parse(row))));
    expect(members.some((member) => member.user_id === ben.id)).toBe(true);
  });
});

describe("[DOCS-19] the workspaces of an account", () => {
  it("come in pages by name, each once", async () => {
    const dora = db.newUser("Dora");
    const names = Array.from({ length: 250 }, (_, at) => `${"aBcÄé"[at % 5] ?? ""} ${at % 90}`);
    for (const name of names) {
      const id = randomUUID();
      await db.sql`
        insert into public.workspaces (id, version, created_at, updated_at, created_by, name, phase)
        values (${id}, 1, now(), now(), ${dora.id}, ${name}, 'active')`;
      await db.sql`
        insert into public.members (workspace_id, user_id, role, phase, name, color, given_color, joined_at, updated_at)
        values (${id}, ${dora.id}, 'owner', 'active', 'Dora', 1, 1, now(), now())`;
    }
    const page = z.array(z.object({ id: z.string(), name: z.string() }));
    const read = async (last: { id: string; name: string } | null) => {
      const [row] = await db.as(
        dora,
        (t) =>
          t<{ seen: unknown }[]>`
            select read_workspaces(${last?.name ?? null}, ${last?.id ?? null}, ${rowsAtATime}) as seen`,
      );
      return page.parse(row?.seen);
    };
    const all = await read(null);
    for (let more = all; more.length === rowsAtATime;) {
      more = await read(more.at(-1) ?? null);
      all.push(...more);
    }
    expect(all.length).toBe(names.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(names.length);
  });
});
