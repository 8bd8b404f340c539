import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestBackend, testBackend } from "@/tests/support/backend";
import { type Person, service, signUp, visitor } from "@/tests/support/people";

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

/** Keeps whatever reads threads waiting while the work is done, but not for ever. */
async function withThreadsLocked(work: () => Promise<void>): Promise<void> {
  const sql = await stack.sql.reserve();
  await sql`begin`;
  await sql`lock table public.threads`;
  const release = async () => void (await sql`rollback`);
  const patience = setTimeout(() => void release(), 25_000);
  try {
    await work();
  } finally {
    clearTimeout(patience);
    await release();
    sql.release();
  }
}

test("[API-16] a query that takes too long is ended, whoever asks, and its connection serves others again", () =>
  withThreadsLocked(async () => {
    const begun = performance.now();
    const timed = <T>(answer: T) => ({ answer, seconds: (performance.now() - begun) / 1000 });
    // As many as Lite has connections.
    const slow = [service(stack), ...Array.from({ length: 9 }, () => mallory.client)].map(
      (client) => client.from("threads").select("id"),
    );
    const [read, signedIn, ...ends] = await Promise.all([
      ana.client.from("documents").select("id").then(timed),
      visitor(stack)
        .auth.signInWithPassword({ email: ana.email, password: ana.password })
        .then(timed),
      ...slow,
    ]);
    for (const { status, error } of ends)
      expect([status, error?.message]).toEqual([500, expect.stringMatching(/statement timeout/)]);
    expect(read.answer.data).toEqual([{ id: document }]);
    expect(signedIn.answer.error).toBeNull();
    expect(Math.max(read.seconds, signedIn.seconds)).toBeLessThan(20);
  }));

const nested = "id,workspaces(documents(id,workspaces(documents(id))))";

test("[API-17] nobody but the service embeds rows deeper than one level", async () => {
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
