import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toBase64 } from "@/events/core/bytes/base64";
import { copiedEmpty } from "@/events/revisions/copy-in-events";
import { copyInsInto, familyOf } from "@/events/read-models/family";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";

let stack: Stack;
let ana: Person;
let mallory: Person;
const workspace = randomUUID();
const document = randomUUID();

const event = (type: string, body: unknown) => ({
  id: randomUUID(),
  type,
  body: JSON.stringify(body),
});
const append = (person: Person, stream: string, expected: number | null, ...events: object[]) =>
  person.client.rpc("append_events", { stream, expected_version: expected, events });

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  mallory = await signUp(stack, "Mallory");
  await append(ana, workspace, 0, event("workspace.created", { name: "Field notes" }));
  await append(
    ana,
    document,
    0,
    event("document.created", { workspaceId: workspace, title: 'Ça va — ☃ "quoted" \\ 👩‍👩‍👧' }),
  );
});
afterAll(() => stack.dispose());

test("passes a function's arguments and answer on unchanged", async () => {
  const { data, error } = await append(
    ana,
    document,
    1,
    event("document.renamed", { title: '["not a list"]' }),
    event("document.renamed", { title: "{}" }),
  );
  expect(error).toBeNull();
  expect(data).toMatchObject([{ version: 2 }, { version: 3 }]);
  const read = await ana.client.rpc("read_events", {
    stream: document,
    after_version: 0,
    max_count: 10,
  });
  expect(read.data.map(({ body }: { body: string }) => JSON.parse(body).title)).toEqual([
    'Ça va — ☃ "quoted" \\ 👩‍👩‍👧',
    '["not a list"]',
    "{}",
  ]);
});

test.each([
  ["version-conflict", 409, "document.renamed", { title: "Late" }, 0, "stale-version"],
  ["invalid-event", 400, "document.renamed", { title: 7 }, null, "body-malformed"],
  ["illegal-transition", 422, "document.restored", {}, null, "phase"],
] as const)(
  "[LOG-63] answers a refusal as %s with status %i and its reason as hint",
  async (name, status, type, body, expected, reason) => {
    const answer = await append(ana, document, expected, event(type, body));
    expect(answer.error?.message).toBe(name);
    expect(answer.error?.hint).toBe(reason);
    expect(answer.status).toBe(status);
  },
);

test("answers a stranger with not-permitted alone", async () => {
  const answer = await append(
    mallory,
    document,
    null,
    event("document.renamed", { title: "Mine" }),
  );
  expect([answer.error?.message, answer.status]).toEqual(["not-permitted", 403]);
  expect((await mallory.client.from("documents").select("*").eq("id", document)).data).toEqual([]);
});

test("writes times as PostgREST does, readable in every browser", async () => {
  const { data } = await ana.client
    .from("documents")
    .select("created_at")
    .eq("id", document)
    .single();
  expect(data?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
});

test("filters and orders by time", async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { data } = await ana.client
    .from("documents")
    .select("id")
    .gt("updated_at", since)
    .order("updated_at", { ascending: false });
  expect(data).toEqual([{ id: document }]);
});

test("lets no role rewrite the log, not even the service", async () => {
  const admin = service(stack);
  const before = await admin.from("events").select("id,hash,type").order("version");
  await admin.from("events").delete().eq("stream_id", document);
  await admin.from("events").update({ type: "document.trashed" }).eq("stream_id", document);
  expect(await admin.from("events").select("id,hash,type").order("version")).toEqual(before);
  expect(before.data?.length).toBeGreaterThan(1);
});

test("[REDACT-9] shows what documents carried from each other to their readers alone", async () => {
  const fork = randomUUID();
  const copyInEvent = (type: string, source: string, version: number) => ({
    ...event(type, { document: source, version }),
    update: toBase64(copiedEmpty(source).update),
  });
  await append(
    ana,
    fork,
    0,
    event("document.created", { workspaceId: workspace, title: "Copy" }),
    copyInEvent("document.forked", document, 2),
  );
  expect(
    (await append(ana, document, null, copyInEvent("document.merged", fork, 2))).error,
  ).toBeNull();
  const family = (await familyOf(ana.client, document)).map(({ id }) => id);
  expect(family).toEqual([document, fork]);
  expect((await familyOf(ana.client, fork)).map(({ id }) => id)).toEqual([fork, document]);
  const { copyIns, unseen } = await copyInsInto(ana.client, family);
  expect([...copyIns].sort((one, other) => one.version - other.version)).toEqual([
    { from: document, at: 2, into: fork, version: 2, kind: "fork", redacted: false },
    { from: fork, at: 2, into: document, version: 4, kind: "merge", redacted: false },
  ]);
  expect(unseen.size).toBe(0);
  expect(await familyOf(mallory.client, document)).toEqual([]);
  expect(await copyInsInto(mallory.client, family)).toEqual({
    copyIns: [],
    unseen: new Set(family),
  });
});
