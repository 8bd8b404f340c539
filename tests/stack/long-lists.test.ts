import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsAtATime } from "@/events/core/pages";
import { readActivity } from "@/events/read-models/activity";
import { withEarlier, withNewest } from "@/events/read-models/activity-feed";
import { copyInsInto, familyOf } from "@/events/read-models/family";
import { documentsById, documentsOf, forksOf } from "@/events/read-models/document-rows";
import { openInvitations } from "@/events/read-models/invitation-rows";
import { changesOf } from "@/events/read-models/last-changes";
import { membersOf } from "@/events/read-models/member-rows";
import type { Rows } from "@/events/read-models/rows";
import { versionAt, versionsBehind, versionsOf } from "@/events/read-models/version-rows";
import { myWorkspaces, workspacesToWriteIn } from "@/events/read-models/workspace-rows";
import { commentsOf, threadsOf } from "@/events/read-models/thread-rows";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

const many = 1001;
const workspace = randomUUID();
const document = randomUUID();
const thread = randomUUID();
let stack: TestBackend;
let ana: Person;
let ben: Person;

const event = (type: string, body: unknown) => ({
  id: randomUUID(),
  type,
  body: JSON.stringify(body),
});

// Only the rows are created, without their thousands of events: the test is about reading.
beforeAll(async () => {
  stack = await testBackend();
  [ana, ben] = await Promise.all([signUp(stack, "Ana"), signUp(stack, "Ben")]);
  const append = (stream: string, ...events: object[]) =>
    ana.client.rpc("append_events", { stream, expected_version: 0, events });
  await append(workspace, event("workspace.created", { name: "Field notes" }));
  await append(document, event("document.created", { workspaceId: workspace, title: "Herbs" }));
  const [user, other] = [ana.user.id, ben.user.id];
  const { sql } = stack;
  // Many rows share a time, and the ids are in another order than the times.
  await sql`
    insert into public.documents (id, workspace_id, version, created_at, updated_at, edits,
      created_by, updated_by, title, phase, forked_from, forked_at)
    select gen_random_uuid(), ${workspace}, 1, now() - n % 7 * interval '1 hour',
      now() - n % 7 * interval '1 hour', 0, ${user}, ${user}, 'Fork ' || n,
      case n % 2 when 0 then 'live' else 'trashed' end, ${document}, 1
    from generate_series(1, ${many}) n`;
  await sql`
    insert into public.members (workspace_id, user_id, role, phase, name, color, given_color,
      joined_at, updated_at)
    select ${workspace}, gen_random_uuid(), 'viewer', 'active', 'Reader ' || n, 1, 1,
      now() + n % 7 * interval '1 hour', now()
    from generate_series(1, ${many}) n`;
  await sql`
    insert into public.invitations (id, workspace_id, created_by, kind, role, phase, created_at)
    select gen_random_uuid(), ${workspace}, ${user}, 'link', 'viewer', 'open',
      now() - n % 7 * interval '1 hour'
    from generate_series(1, ${many}) n`;
  await sql`
    insert into public.versions (id, document_id, workspace_id, at, created_by, pinned, name,
      phase, created_at, updated_at)
    select gen_random_uuid(), ${document}, ${workspace}, 1 + n % 7, ${user}, false, 'Draft ' || n,
      'named', now(), now()
    from generate_series(1, ${many}) n`;
  await sql`
    insert into public.threads (id, document_id, workspace_id, version, opened_version, opened_at,
      opened_by, phase, anchor_start, anchor_end, quote)
    select case n when 1 then ${thread} else gen_random_uuid() end, ${document}, ${workspace}, 1, 1,
      now() - n % 7 * interval '1 hour', ${user}, 'open', '', '', ''
    from generate_series(1, ${many}) n`;
  await sql`
    insert into public.comments (id, document_id, workspace_id, thread_id, version, added_at,
      author_id, phase, text)
    select gen_random_uuid(), ${document}, ${workspace}, ${thread}, 1,
      now() - n % 7 * interval '1 hour', ${user}, 'present', 'Comment ' || n
    from generate_series(1, ${many}) n`;
  await sql`
    with made as (
      insert into public.workspaces (id, version, created_at, updated_at, created_by, name, phase)
      select gen_random_uuid(), 1, now(), now(), ${user}, 'Place ' || n, 'active'
      from generate_series(1, ${many}) n
      returning id
    )
    insert into public.members (workspace_id, user_id, role, phase, name, color, given_color,
      joined_at, updated_at)
    select id, ${other}, 'editor', 'active', 'Ben', 1, 1, now(), now() from made`;
});
afterAll(() => stack.stop());

const kinds: readonly [string, () => Rows, (rows: Rows) => Promise<{ id: string }[]>, number][] = [
  ["documents", () => ana.client, (rows) => documentsOf(rows, workspace), many + 1],
  [
    "members",
    () => ana.client,
    async (rows) => (await membersOf(rows, workspace)).map(({ userId: id }) => ({ id })),
    many + 1,
  ],
  ["open invitations", () => ana.client, (rows) => openInvitations(rows, workspace), many],
  ["named versions", () => ana.client, (rows) => versionsOf(rows, document), many],
  ["threads", () => ana.client, (rows) => threadsOf(rows, document), many],
  ["comments", () => ana.client, (rows) => commentsOf(rows, document), many],
  ["forks", () => ana.client, (rows) => forksOf(rows, [document]), many],
  ["the family of a document", () => ana.client, (rows) => familyOf(rows, document), many + 1],
  ["workspaces", () => ben.client, (rows) => myWorkspaces(rows, ben.user.id), many],
  [
    "workspaces to write in",
    () => ben.client,
    (rows) => workspacesToWriteIn(rows, ben.user.id),
    many,
  ],
];

describe("[DOCS-15] more rows than one request returns", () => {
  test.each(kinds)("%s are read to the end", async (_kind, client, read, count) => {
    const ids = (await read(client())).map(({ id }) => id);
    expect(ids.length).toBe(count);
    expect(new Set(ids).size).toBe(count);
  });

  test("a read by ids finds as many documents as it names", async () => {
    const ids = (await stack.sql<{ id: string }[]>`select id from public.documents`).map(
      ({ id }) => id,
    );
    expect(ids.length).toBeGreaterThan(many);
    expect((await documentsById(ana.client, ids)).length).toBe(ids.length);
  });

  test("named versions come in pages, latest revision first, each once", async () => {
    const all: { id: string; at: number }[] = [];
    for (let last = null, page: typeof all = []; all.length === 0 || page.length > 0;) {
      page = await versionsBehind(ana.client, document, last);
      expect(page.length).toBeLessThanOrEqual(rowsAtATime);
      all.push(...page);
      last = page.at(-1) ?? null;
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(many);
    expect(all.length).toBe(many);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a));
    expect(await versionAt(ana.client, document, 4)).toMatchObject({ at: 4 });
    expect(await versionAt(ana.client, document, 400)).toBeNull();
  });

  test("the last changes of many documents take one request", async () => {
    let requests = 0;
    const counted: Rows = {
      rpc: () => expect.unreachable(),
      from(table: string) {
        requests += 1;
        return ana.client.from(table);
      },
    };
    const ids = Array.from({ length: many }, () => randomUUID());
    const changes = await changesOf(counted, workspace, [document, ...ids]);
    expect(changes).toMatchObject({ [document]: { type: "document.created" } });
    expect(requests).toBe(1);
    expect(await changesOf(counted, workspace, [document])).toEqual(changes);
    expect(await changesOf(counted, workspace, ids)).toEqual({});
  });

  test("events of several streams are read to the end, each once", async () => {
    const streams = (
      await stack.sql<{ id: string }[]>`select id from public.documents limit 80`
    ).map(({ id }) => id);
    const [source] = streams;
    await stack.sql`alter table public.events disable trigger all`;
    await stack.sql`
      insert into public.events (id, stream_id, stream_kind, workspace_id, version, position, type,
        subject_kind, subject_id, from_phase, to_phase, schema, actor_id, client_time, recorded_at,
        payload_hash, hash)
      select gen_random_uuid(), stream, 'document', ${workspace}, 1000 + n, 1000000 + row_number() over (),
        'document.merged', 'document', stream, 'live', 'live', 1, ${ana.user.id}, now(), now(),
        sha256(''), sha256('')
      from unnest(${streams}::uuid[]) stream, generate_series(1, 26) n`;
    await stack.sql`alter table public.event_payloads disable trigger all`;
    await stack.sql`
      insert into public.event_payloads (event_id, salt, body)
      select id, uuid_send(id), json_build_object('document', ${source ?? ""}::text, 'version', version)::text
      from public.events where type = 'document.merged'`;
    await stack.sql`alter table public.events enable trigger all`;
    await stack.sql`alter table public.event_payloads enable trigger all`;
    const { copyIns } = await copyInsInto(ana.client, streams);
    expect(copyIns.length).toBe(80 * 26);
    expect(new Set(copyIns.map(({ into, at }) => `${into} ${at}`)).size).toBe(80 * 26);
  });
});

describe("[DOCS-16] the activity of a workspace", () => {
  test("has no gap when events arrive after earlier activity was loaded", async () => {
    const [place, text] = [randomUUID(), randomUUID()];
    let version = 0;
    const happen = async (count: number) => {
      for (let left = count; left > 0; left -= 100) {
        const events = Array.from({ length: Math.min(left, 100) }, () =>
          event("document.renamed", { title: `Herbs ${(version += 1)}` }),
        );
        const { error } = await ana.client.rpc("append_events", {
          stream: text,
          expected_version: null,
          events,
        });
        expect(error).toBeNull();
      }
    };
    for (const [stream, created] of [
      [place, event("workspace.created", { name: "Field notes" })],
      [text, event("document.created", { workspaceId: place, title: "Herbs 1" })],
    ] as const)
      await ana.client.rpc("append_events", { stream, expected_version: 0, events: [created] });
    version = 1;
    await happen(1000);
    let feed = await withEarlier(ana.client, place, [await readActivity(ana.client, place, null)]);
    const shown = () => feed.flatMap(({ happenings }) => happenings.map((each) => each.version));
    const downFrom = (newest: number, count: number) =>
      Array.from({ length: count }, (_, at) => newest - at);
    expect(shown()).toEqual(downFrom(1001, 800));

    await happen(1);
    feed = await withNewest(ana.client, place, feed);
    expect(shown()).toEqual(downFrom(1002, 801));
    await happen(900);
    feed = await withNewest(ana.client, place, feed);
    expect(shown()).toEqual(downFrom(1902, 1701));
    feed = await withEarlier(ana.client, place, feed);
    expect(shown().slice(0, 1902)).toEqual(downFrom(1902, 1902));

    // More than one read returns, so the earlier entries are dropped and can be requested again.
    await happen(2000);
    feed = await withNewest(ana.client, place, feed);
    expect(shown()).toEqual(downFrom(3902, 400));
    feed = await withEarlier(ana.client, place, feed);
    expect(shown()).toEqual(downFrom(3902, 800));
  });
});
