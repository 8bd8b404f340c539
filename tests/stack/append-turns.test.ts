import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let backend: TestBackend;
let ana: Person;
let mallory: Person;
let accounts: Person[];
let workspace: string;
let document: string;
let elsewhere: string;

beforeAll(async () => {
  backend = await testBackend();
  [ana, mallory, ...accounts] = await Promise.all([
    signUp(backend, "Ana"),
    signUp(backend, "Mallory"),
    ...Array.from({ length: 12 }, () => signUp(backend, "Carol")),
  ]);
  workspace = await newWorkspace(ana);
  document = await newDocument(ana, workspace);
  elsewhere = await newDocument(mallory, await newWorkspace(mallory));
});
// An answered append lifts the restriction that an append with a timeout left.
beforeEach(async () => {
  expect(await append(ana, document, [edit()])).toMatchObject({ status: 200 });
});
afterAll(() => backend.stop());

const event = (type: string, body: object, more: object = {}) => ({
  id: randomUUID(),
  type,
  body: JSON.stringify(body),
  ...more,
});
const edit = () => event("document.edited", {}, { update: "AQID" });
const throughRest = { accept: "application/json, */*" };

async function append(
  person: Person,
  stream: string,
  events: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${backend.url}/rest/v1/rpc/append_events`, {
    method: "POST",
    headers: {
      apikey: backend.keys.publishableKey,
      authorization: `Bearer ${await person.accessToken()}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ stream, expected_version: null, events }),
  });
  const body: unknown = await response.json();
  return { status: response.status, body, retryAfter: response.headers.get("retry-after") };
}

async function newWorkspace(person: Person): Promise<string> {
  const id = randomUUID();
  await append(person, id, [event("workspace.created", { name: "W" })]);
  return id;
}

async function newDocument(person: Person, workspaceId: string): Promise<string> {
  const id = randomUUID();
  await append(person, id, [event("document.created", { workspaceId, title: "D" })]);
  return id;
}

/** Holds a row lock during `work`, or until `work` releases it. */
async function withLock<T>(
  row: { table: "private.streams" | "private.feeds"; key: string; id: string },
  work: (release: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const sql = await backend.sql.reserve();
  await sql`begin`;
  await sql.unsafe(`select from ${row.table} where ${row.key} = $1 for update`, [row.id]);
  let isHeld = true;
  const release = async () => {
    if (isHeld) await sql`rollback`;
    isHeld = false;
  };
  try {
    return await work(release);
  } finally {
    await release();
    sql.release();
  }
}

const blocked = async () => {
  const [row] = await backend.sql<{ blocked: number }[]>`
    select count(*)::int as blocked from pg_stat_activity where wait_event_type = 'Lock'`;
  return row?.blocked ?? 0;
};

/** Appends elsewhere and signs in. Other people's appends must not delay this work. */
async function ordinaryWork(): Promise<void> {
  for (let round = 0; round < 5; round += 1)
    expect(await append(mallory, elsewhere, [edit()])).toMatchObject({ status: 200 });
  expect(await append(mallory, elsewhere, [edit()], throughRest)).toMatchObject({ status: 200 });
  const signedIn = await visitor(backend).auth.signInWithPassword({
    email: mallory.email,
    password: mallory.password,
  });
  expect(signedIn.error).toBeNull();
}

/**
 * Checks that other work proceeds while appends wait for a lock. The appends are sent again while
 * the lock is held, so that a slow machine only makes the test longer.
 */
async function othersGoOn(appends: (() => Promise<unknown>)[], most: number): Promise<void> {
  let isHeld = true;
  const waiting = appends.map(async (sendOne) => {
    while (isHeld) await sendOne();
  });
  const counts: number[] = [];
  const isFull = async () => {
    counts.push(await blocked());
    return counts.at(-1);
  };
  await expect.poll(isFull).toBe(most);
  await ordinaryWork();
  // From now on, a stream that kept an append waiting for too long gets a single turn.
  await expect.poll(isFull).toBeGreaterThan(0);
  isHeld = false;
  await Promise.all(waiting);
  expect(Math.max(...counts)).toBe(most);
}

test("[API-90] twelve accounts waiting for one stream hold two connections", () =>
  withLock({ table: "private.streams", key: "id", id: document }, () =>
    othersGoOn(
      accounts.map((person) => () => append(person, document, [edit()])),
      2,
    ),
  ));

test("[API-90] twelve through REST hold two connections as well", () =>
  withLock({ table: "private.streams", key: "id", id: document }, () =>
    othersGoOn(
      accounts.map(
        (person, at) => () => append(person, document, [edit()], at % 2 ? throughRest : {}),
      ),
      2,
    ),
  ));

test("[API-90] appends waiting for one workspace's counter hold three connections", async () => {
  const documents = await Promise.all(Array.from({ length: 4 }, () => newDocument(ana, workspace)));
  await withLock({ table: "private.feeds", key: "workspace_id", id: workspace }, () =>
    othersGoOn(
      documents.map((id) => () => append(ana, id, [edit()])),
      3,
    ),
  );
});

test("[API-90] an append that waits too long is 503, and is recorded once when resent", async () => {
  const sent = [0, 1, 2].map(() => [edit()]);
  await withLock({ table: "private.streams", key: "id", id: document }, async () => {
    for (const answer of await Promise.all(sent.map((events) => append(ana, document, events))))
      expect(answer).toEqual({
        status: 503,
        retryAfter: "1",
        body: {
          // A second waiter waits for two locks in sequence, so the statement timeout may end it
          // first.
          code: expect.stringMatching(/^(55P03|57014)$/),
          details: null,
          hint: null,
          message: "The database could not record these events now. Send the same events again.",
        },
      });
    // A page's store reports that the same events may be sent again.
    const store = supabaseStore(ana.client);
    const proposals = (sent[0] ?? []).map(({ id }) => ({
      id,
      type: "document.edited" as const,
      bodyText: "{}",
      body: {},
      update: Uint8Array.of(1, 2, 3),
    }));
    await expect(store.append(document, null, proposals)).rejects.toMatchObject({
      status: 503,
      retryable: true,
      foreign: false,
    });
  });
  for (const events of sent) {
    const answer = await append(ana, document, events);
    expect(answer.status).toBe(200);
    expect(await append(ana, document, events)).toEqual(answer);
    const id = events[0]?.id ?? "";
    expect(await backend.sql`select id from public.events where id = ${id}`).toHaveLength(1);
  }
});

test.each([
  ["statement timeout", "57014"],
  ["lock timeout", "55P03"],
  ["deadlock", "40P01"],
  ["full disk", "53100"],
])("[API-92] a call that ended with a %s is not repeated", async (_name, code) => {
  const [before] = await backend.sql`
    select pg_get_functiondef('public.append_events'::regproc) as text`;
  await backend.sql`create sequence public.runs`;
  await backend.sql`grant usage on sequence public.runs to authenticated`;
  await backend.sql.unsafe(`create or replace function public.append_events(stream uuid,
    expected_version bigint, events jsonb, actor uuid default null) returns jsonb language plpgsql
    as $$ begin perform nextval('public.runs'); raise exception using errcode = '${code}'; end $$`);
  try {
    for (const headers of [{}, throughRest])
      expect(await append(ana, document, [edit()], headers)).toMatchObject({
        status: 503,
        body: { code },
      });
    expect(await backend.sql`select nextval('public.runs')::int as next`).toEqual([{ next: 3 }]);
  } finally {
    await backend.sql.unsafe(String(before?.text));
    await backend.sql`drop sequence public.runs`;
  }
});

test.each([
  ["supabase-js", {}],
  ["REST", throughRest],
])("[LOG-9] deeply nested events are the caller's fault (%s)", async (_name, headers) => {
  const nested = "[".repeat(200_000) + "]".repeat(200_000);
  for (const events of [nested, JSON.stringify(nested)]) {
    const response = await fetch(`${backend.url}/rest/v1/rpc/append_events`, {
      method: "POST",
      headers: {
        apikey: backend.keys.publishableKey,
        authorization: `Bearer ${await ana.accessToken()}`,
        "content-type": "application/json",
        ...headers,
      },
      body: `{"stream":"${document}","expected_version":null,"events":${events}}`,
    });
    expect(response.status).toBe(400);
  }
});
