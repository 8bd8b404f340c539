import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toWire } from "@/events/core/envelope";
import { testDatabase } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

/** A quantity that grows, and a batch whose work must not grow with that quantity. */
type Case = {
  name: string;
  /** Creates a quantity of `size`. Returns the stream and the events of the batch. */
  batch(
    ana: User,
    workspace: string,
    size: number,
  ): Promise<{ stream: string; events: NewProposal[] }>;
};

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Creates documents of which only the place matters, in one statement. */
async function standing(
  workspace: string,
  parents: (string | null)[],
  phase = "live",
): Promise<string[]> {
  const rows = parents.map((parent) => ({ id: randomUUID(), parent }));
  await db.sql`
    insert into public.documents (version, created_at, updated_at, edits, id, workspace_id, created_by, updated_by,
      title, phase, parent_id, rank)
    select 1, now(), now(), 0, r.id, ${workspace}, r.id, r.id, '', ${phase}, r.parent,
      to_hex(2147483648 + row_number() over ())
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id uuid, parent uuid)`;
  return rows.map(({ id }) => id);
}

const move = (parent: string | null, after: string | null = null) => ({
  type: "document.moved",
  body: { parent, after },
});

const cases: Case[] = [
  {
    name: "moves of a document with many others in it",
    async batch(ana, workspace, size) {
      const [own, home] = [
        await newDocument(db, ana, workspace),
        await newDocument(db, ana, workspace),
      ];
      await standing(
        workspace,
        times(size, () => own),
      );
      return { stream: own, events: times(200, (at) => move(at % 2 ? null : home)) };
    },
  },
  {
    name: "moves of a document with many levels of many others in it",
    async batch(ana, workspace, size) {
      const [own, home] = [
        await newDocument(db, ana, workspace),
        await newDocument(db, ana, workspace),
      ];
      let parents: string[] = [own];
      for (let level = 0; level < 4; level += 1)
        parents = await standing(
          workspace,
          times(size / 4, (at) => parents[at % parents.length] ?? own),
        );
      return { stream: own, events: times(200, (at) => move(at % 2 ? null : home)) };
    },
  },
  {
    name: "moves among many others",
    async batch(ana, workspace, size) {
      const [own, first] = [
        await newDocument(db, ana, workspace),
        await newDocument(db, ana, workspace),
      ];
      const second = await newDocument(db, ana, workspace);
      const inside = await standing(
        workspace,
        times(size, () => first),
      );
      await standing(
        workspace,
        times(size, () => second),
        "purged",
      );
      return {
        stream: own,
        events: times(200, (at) =>
          move(at % 2 ? second : first, at % 4 ? null : (inside[at] ?? null)),
        ),
      };
    },
  },
  {
    name: "moves out of the trash and back",
    async batch(ana, workspace, size) {
      const own = await newDocument(db, ana, workspace);
      await standing(
        workspace,
        times(size, () => own),
      );
      await standing(
        workspace,
        times(size, () => null),
      );
      return {
        stream: own,
        events: times(200, (at) => ({
          type: at % 2 ? "document.restored" : "document.trashed",
          body: {},
        })),
      };
    },
  },
  {
    name: "names of somebody with many memberships",
    async batch(ana, _workspace, size) {
      await memberships(ana, size);
      return {
        stream: ana.id,
        events: times(200, (at) => ({
          type: "account.profile_changed",
          body: { name: `Ana ${at}`, color: at % 12 },
        })),
      };
    },
  },
  {
    name: "roles in a workspace of many",
    async batch(ana, workspace, size) {
      const ben = db.newUser("Ben");
      await join(db, ana, workspace, ben, "editor");
      await db.sql`
        insert into public.members (joined_at, updated_at, color, given_color, workspace_id, user_id, role, phase, name)
        select now(), now(), 1, 1, ${workspace}, ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid,
          'viewer', 'active', '' from generate_series(1, ${size}) as i`;
      const subject = { kind: "member", id: ben.id };
      return {
        stream: workspace,
        events: times(200, (at) => ({
          type: "member.role_changed",
          subject,
          body: { role: at % 2 ? "editor" : "viewer" },
        })),
      };
    },
  },
  {
    name: "changes of an author taken back in a long history",
    async batch(ana, workspace, size) {
      const ben = db.newUser("Ben");
      await join(db, ana, workspace, ben, "editor");
      const document = await newDocument(db, ana, workspace);
      for (let written = 0; written < size; written += 100) await edited(ana, document, 100);
      await edited(ben, document, 1);
      const body = { kind: "author", author: ben.id, from: 2, to: size + 2, quote: null };
      return {
        stream: document,
        events: times(50, () => ({ type: "document.reworked", body, update: Uint8Array.of(0, 0) })),
      };
    },
  },
  {
    name: "edits of a long history with client ids",
    async batch(ana, workspace, size) {
      const document = await newDocument(db, ana, workspace);
      for (let written = 0; written < size; written += 100) await edited(ana, document, 100);
      return {
        stream: document,
        events: times(200, (at) => ({
          type: "document.edited",
          body: {},
          update: Uint8Array.of(0, 0),
          clientIds: [at + 1],
        })),
      };
    },
  },
];

async function memberships(person: User, count: number): Promise<void> {
  await db.sql`
    with made as (
      insert into public.workspaces (id, name, phase, version, created_by, created_at, updated_at)
      select gen_random_uuid(), 'W', 'live', 1, ${person.id}, now(), now() from generate_series(1, ${count})
      returning id
    )
    insert into public.members (joined_at, updated_at, color, given_color, workspace_id, user_id, role, phase, name)
    select now(), now(), 1, 1, made.id, ${person.id}, 'owner', 'active', '' from made`;
}

async function edited(person: User, document: string, count: number): Promise<void> {
  const edit = { type: "document.edited", body: {}, update: Uint8Array.of(0, 0) };
  granted(
    await db.append(
      person,
      document,
      null,
      times(count, () => edit),
    ),
  );
}

/** Returns the number of rows that a batch reads and writes. */
async function rowsOf(user: User, stream: string, events: NewProposal[]): Promise<number> {
  const wire = JSON.stringify(events.map((event) => toWire({ ...event, id: randomUUID() })));
  return db.as(user, async (t) => {
    const counted = async () => {
      const [row] = await t<{ rows: number }[]>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)::int as rows
        from pg_stat_xact_all_tables where schemaname in ('public', 'private', 'auth', 'storage')`;
      return row?.rows ?? 0;
    };
    // A connection's counters still include its earlier transactions.
    const before = await counted();
    await t`select append_events(${stream}, null, ${wire}::text::jsonb)`;
    return (await counted()) - before;
  });
}

describe("the work of one batch", () => {
  it.each(cases)("[LOG-77] does not grow with the workspace: $name", async ({ batch }) => {
    const rows: number[] = [];
    for (const size of [200, 800]) {
      const ana = db.newUser("Ana");
      granted(await db.append(ana, ana.id, 0, [{ type: "account.created", body: {} }]));
      const { stream, events } = await batch(ana, await newWorkspace(db, ana), size);
      await db.sql`analyze`;
      rows.push(await rowsOf(ana, stream, events));
    }
    const [few = 0, many = 0] = rows;
    expect(few).toBeGreaterThan(0);
    // A hundred rows per event, although the plan for a small table may read the whole table.
    expect(many, String(rows)).toBeLessThan(20_000);
    // Work that is done once per batch may touch each row once.
    expect(many - few, String(rows)).toBeLessThan(4 * 600);
  });
});

describe("the contents of a document", () => {
  it("[LOG-77] are counted exactly after moves, purges and a rebuild", async () => {
    const ana = db.newUser("Ana");
    const workspace = await newWorkspace(db, ana);
    const ids: string[] = [];
    while (ids.length < 12) ids.push(await newDocument(db, ana, workspace));
    let seed = 7;
    const next = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    const pick = () => ids[next(ids.length)] ?? "";
    const kept = () => db.sql`
      select document_id as id, parent_id as parent, height, children from private.branches
      where document_id = any (${ids}) order by document_id`;
    const asDocumentsSay = () => db.sql`
      with recursive down as (
        select d.id as root, d.id, 1 as level from public.documents d where d.phase <> 'purged'
        union all
        select down.root, d.id, down.level + 1 from down join public.documents d
          on d.parent_id = down.id and d.phase <> 'purged'
      )
      select d.id, d.parent_id as parent, max(down.level)::int as height,
        (count(*) filter (where down.level = 2))::int as children
      from public.documents d join down on down.root = d.id
      where d.id = any (${ids}) and d.phase <> 'purged' group by d.id, d.parent_id order by d.id`;
    for (let step = 0; step < 60; step += 1) {
      await db.append(ana, pick(), null, [move(next(4) === 0 ? null : pick())]);
      if (next(8) === 0) {
        const gone = pick();
        await db.append(ana, gone, null, [{ type: "document.trashed", body: {} }]);
        await db.append(ana, gone, null, [
          { type: next(2) ? "document.purged" : "document.restored", body: {} },
        ]);
      }
      expect([...(await kept())]).toEqual([...(await asDocumentsSay())]);
    }
    const before = [...(await kept())];
    await db.sql`delete from public.documents where workspace_id <> ${workspace} and version = 1 and title = ''`;
    await db.sql`select rebuild_projections()`;
    expect([...(await kept())]).toEqual(before);
  });
});
