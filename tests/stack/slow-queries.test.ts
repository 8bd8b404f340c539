import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { service, signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let stack: TestBackend;
let ana: Person;
let mallory: Person;
const workspace = randomUUID();
const document = randomUUID();

beforeAll(async () => {
  stack = await testBackend();
  ana = await signUp(stack, "Ana");
  mallory = await signUp(stack, "Mallory");
  const event = (type: string, body: unknown) => ({
    id: randomUUID(),
    type,
    body: JSON.stringify(body),
  });
  const append = (stream: string, ...events: object[]) =>
    ana.client.rpc("append_events", { stream, expected_version: 0, events });
  await append(workspace, event("workspace.created", { name: "Field notes" }));
  await append(document, event("document.created", { workspaceId: workspace, title: "Herbs" }));
});
afterAll(() => stack.stop());

/** Blocks all readers of threads until `work` releases them or ends. Has a time limit. */
async function withThreadsLocked<T>(
  work: (release: () => Promise<void>, isLocked: () => boolean) => Promise<T>,
): Promise<T> {
  const sql = await stack.sql.reserve();
  await sql`begin`;
  await sql`lock table public.threads`;
  let isLocked = true;
  const release = async () => {
    isLocked = false;
    await sql`rollback`;
  };
  const patience = setTimeout(() => void release(), 60_000);
  try {
    return await work(release, () => isLocked);
  } finally {
    clearTimeout(patience);
    await release();
    sql.release();
  }
}

const ownQuery = (client: Person["client"]) => client.from("threads").select("id");

test("[API-16] a slow query of any caller is ended, and its connection serves others again", () =>
  withThreadsLocked(async (_release, isLocked) => {
    // As many queries as Lite has connections.
    const slow = Array.from({ length: 10 }, () => ownQuery(service(stack)));
    const [read, signedIn, ...ends] = await Promise.all([
      ana.client.from("documents").select("id"),
      visitor(stack).auth.signInWithPassword({ email: ana.email, password: ana.password }),
      ...slow,
    ]);
    for (const { status, error } of ends)
      expect([status, error?.message]).toEqual([500, expect.stringMatching(/statement timeout/)]);
    expect(read.data).toEqual([{ id: document }]);
    expect(signedIn.error).toBeNull();
    expect(isLocked()).toBe(true);
  }));

/**
 * Runs `ask` while slow queries wait, `waiting` of them without a connection. Repeats the run if
 * the statement timeout ended a query early, as on a slow machine.
 */
async function whileSlow(
  slow: () => PromiseLike<unknown>[],
  waiting: number,
  ask: () => Promise<void>,
): Promise<void> {
  let ended = 0;
  for (let rounds = 0; rounds < 5; rounds += 1) {
    ended = 0;
    const isDecided = await withThreadsLocked(async (release) => {
      const calls = slow().map(async (call) => {
        await call;
        ended += 1;
      });
      await expect.poll(() => stack.calls.waiting === waiting || ended > 0).toBe(true);
      await ask();
      const stillWait = ended === 0 && stack.calls.waiting === waiting;
      await release();
      await Promise.all(calls);
      return stillWait;
    });
    if (isDecided) return;
  }
  throw new Error(`${ended} slow queries ended before the other requests were answered`);
}

test("[API-20] slow queries of one account delay its own calls alone", () =>
  whileSlow(
    () => Array.from({ length: 30 }, () => ownQuery(mallory.client)),
    26,
    async () => {
      const [read, signedIn, visited] = await Promise.all([
        ana.client.from("documents").select("id"),
        visitor(stack).auth.signInWithPassword({ email: ana.email, password: ana.password }),
        visitor(stack).from("documents").select("id"),
      ]);
      expect(read.data).toEqual([{ id: document }]);
      expect([signedIn.error, visited.status]).toEqual([null, 401]);
    },
  ));

test("[API-22] slow queries of three accounts delay no other person's document", async () => {
  const others = await Promise.all(["Dan", "Eve"].map((name) => signUp(stack, name)));
  const renamed = { title: "Herbs and roots" };
  await whileSlow(
    () =>
      [mallory, ...others].flatMap(({ client }) =>
        Array.from({ length: 10 }, () => ownQuery(client)),
      ),
    // Six calls run, and the rest of each account's calls wait.
    24,
    async () => {
      const [read, topic, written, signedIn] = await Promise.all([
        ana.client.rpc("read_events", { stream: document, after_version: 0 }),
        ana.client.rpc("stream_topic", { stream: document }),
        ana.client.rpc("append_events", {
          stream: document,
          expected_version: null,
          events: [{ id: randomUUID(), type: "document.renamed", body: JSON.stringify(renamed) }],
        }),
        visitor(stack).auth.signInWithPassword({ email: ana.email, password: ana.password }),
      ]);
      expect([read.error, topic.error, written.error, signedIn.error]).toEqual(
        Array.from({ length: 4 }, () => null),
      );
    },
  );
});

test("[API-21] an answer too large for the server’s memory is given up, and others are answered", async () => {
  await stack.sql`
    create function public.fill(megabytes integer) returns text
    language sql as $$ select repeat('a', megabytes * 1024 * 1024) $$`;
  await stack.sql`notify pgrst, 'reload schema'`;
  const ask = (megabytes: number) => service(stack).rpc("fill" as never, { megabytes } as never);
  await expect.poll(async () => (await ask(1)).status).toBe(200);
  expect((await ask(15)).status).toBe(200);
  const { status, error } = await ask(17);
  expect([status, error?.message, error?.details]).toEqual([
    400,
    "too-large",
    "An answer may hold at most 16 MB. Ask for fewer rows or columns.",
  ]);
  // Larger requests may hit the statement timeout on a loaded machine.
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask(20)));
  expect(answers.map((each) => [each.status, each.error?.message])).toEqual(
    answers.map(() => [400, "too-large"]),
  );
  expect((await ana.client.from("documents").select("id")).data).toEqual([{ id: document }]);
});

const nested = "id,workspaces(documents(id,workspaces(documents(id))))";

test("[API-17] the service alone embeds rows deeper than one level", async () => {
  for (const { client } of [ana, { client: visitor(stack) }]) {
    const answer = await client.from("documents").select(nested);
    expect([answer.status, answer.error?.code]).toEqual([400, "PGRST127"]);
    const written = await client.from("documents").insert({ id: randomUUID() }).select(nested);
    expect([written.status, written.error?.code]).toEqual([400, "PGRST127"]);
  }
  expect((await ana.client.from("documents").select("id,workspaces(id)")).data).toEqual([
    { id: document, workspaces: { id: workspace } },
  ]);
  expect((await service(stack).from("documents").select(nested)).data).toMatchObject([
    { id: document, workspaces: { documents: [{ id: document }] } },
  ]);
});
