import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsAtATime } from "@/events/core/pages";
import { supabaseStore } from "@/events/log/store";
import { databaseUrl } from "@/tests/support/product/backend";
import { fillWorkspace, longest } from "@/tests/support/writers/full-workspace";
import type { Lengths } from "@/tests/support/writers/full-workspace";
import { mainThreadWatch } from "@/tests/support/main-thread/main-thread";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";

const rounds = 6;
/** The largest page of lists, in bytes of HTML and data together. */
const largestPage = 1_000_000;
const thread = mainThreadWatch();
let stack: Stack;

type Place = { page: typeof fetch; workspace: string; document: string };
let modest: Place;
let full: Place;

/**
 * Creates a workspace with lists of these lengths. Its owner has the maximum number of workspaces.
 */
async function placeOf(person: Person, lengths: Lengths, workspaces: number): Promise<Place> {
  const [workspace, document] = [randomUUID(), randomUUID()];
  const store = supabaseStore(person.client);
  const event = (type: string, body: { [key: string]: string }) => [
    { id: randomUUID(), type, body },
  ];
  granted(await store.append(workspace, 0, event("workspace.created", { name: "Field notes" })));
  granted(
    await store.append(
      document,
      0,
      event("document.created", { workspaceId: workspace, title: "Herbs" }),
    ),
  );
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  await fillWorkspace(sql, workspace, person.user.id, {
    ...lengths,
    documents: lengths.documents - 1,
  });
  await sql`
    with made as (
      insert into public.workspaces (id, version, created_at, updated_at, created_by, name, phase)
      select gen_random_uuid(), 1, now(), now(), ${person.user.id}, 'Place ' || n, 'active'
      from generate_series(2, ${workspaces}::int) n returning id
    )
    insert into public.members (workspace_id, user_id, role, phase, name, color, given_color, joined_at, updated_at)
    select id, ${person.user.id}, 'owner', 'active', ${person.name}, 1, 1, now(), now() from made`;
  await sql.end({ timeout: 1 });
  return { page: await pageAs(person), workspace, document };
}

beforeAll(async () => {
  stack = await startStack({ env: { WARM_UP: "1", ...thread.env } });
  const [ana, ben] = await Promise.all([signUp(stack, "Ana"), signUp(stack, "Ben")]);
  const lengths = { documents: rowsAtATime, members: rowsAtATime, invitations: rowsAtATime };
  modest = await placeOf(ana, lengths, rowsAtATime);
  full = await placeOf(ben, longest, 500);
}, 300_000);
afterAll(() => stack.dispose());

/** Returns a page's size and the main thread's CPU time for it, the least of several rounds. */
async function costOf({ page }: Place, path: string) {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    await thread.since();
    const answer = await page(`${stack.url}${path}`);
    expect(answer.status).toBe(200);
    bytes = (await answer.arrayBuffer()).byteLength;
    times.push((await thread.since()).ran);
  }
  return { bytes, processor: Math.min(...times) };
}

describe("[DOCS-19] a page of a workspace at its limits", () => {
  test.each([
    ["the reader's workspaces", () => "/"],
    ["the list of documents", ({ workspace }: Place) => `/w/${workspace}`],
    ["members and invitations", ({ workspace }: Place) => `/w/${workspace}/members`],
    ["the trash", ({ workspace }: Place) => `/w/${workspace}/trash`],
    ["the activity", ({ workspace }: Place) => `/w/${workspace}/activity`],
    ["the search", ({ workspace }: Place) => `/w/${workspace}/search?q=document`],
    ["a document", ({ document }: Place) => `/d/${document}`],
  ])("costs at most three times one with 100 rows a list: %s", async (_page, path) => {
    const least = await costOf(modest, path(modest));
    const most = await costOf(full, path(full));
    expect(most.bytes).toBeLessThanOrEqual(largestPage);
    expect(most.processor).toBeLessThanOrEqual(3 * least.processor);
  });
});
