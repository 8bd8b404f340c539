import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as Y from "yjs";
import { supabaseStore } from "@/events/log/store";
import type { RawStore } from "@/events/log/store";
import { databaseUrl } from "@/tests/support/product/backend";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";

let stack: Stack;
let sql: Sql;
let ana: Person;
let store: RawStore;
let document: string;

beforeAll(async () => {
  stack = await startStack();
  sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  ana = await signUp(stack, "Ana");
  store = supabaseStore(ana.client);
}, 300_000);
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await stack.dispose();
});

/**
 * Creates a document with its creation, two edits with words and an event without text: versions 1
 * to 4.
 */
beforeEach(async () => {
  document = await meet([ana]);
  for (const words of ["the launch code", "is 0000"]) {
    const doc = new Y.Doc();
    doc.getText("t").insert(0, words);
    const edit = {
      id: randomUUID(),
      type: "document.edited",
      body: {},
      update: Y.encodeStateAsUpdate(doc),
      clientIds: [doc.clientID],
    };
    granted(await store.append(document, null, [edit]));
  }
  granted(
    await store.append(document, null, [{ id: randomUUID(), type: "document.trashed", body: {} }]),
  );
});

type Target = { id: string; version: number };
const target = (version: number): Target => ({ id: randomUUID(), version });

async function redact(first: Target, quotes: Target[], reason = "Leaked") {
  const answer = await (
    await pageAs(ana)
  )(`${stack.url}/d/${document}/redact`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.url },
    body: JSON.stringify({ ...first, reason, quotes }),
  });
  const body: unknown = await answer.json();
  return { status: answer.status, body };
}

/** Returns the number of tombstones made, including unused ones. */
const made = async () =>
  (
    await sql`select from private.tombstones t join public.events e on e.id = t.event_id where
      e.stream_id = ${document}`
  ).length;

test("[REDACT-11] an invalid request is refused before any work", async () => {
  expect((await redact(target(2), [target(99)])).status).toBe(404);
  expect((await redact(target(2), [target(4)])).status).toBe(409);
  expect(await made()).toBe(0);
  expect((await redact(target(2), [target(2)])).status).toBe(400);
  const { id } = target(2);
  expect((await redact({ id, version: 2 }, [{ id, version: 3 }])).status).toBe(400);
  expect(await made()).toBe(0);
  const first = target(2);
  const done = await redact(first, []);
  expect(done.status).toBe(200);
  const before = await made();
  // The first target is a redaction itself, and the second is already redacted.
  expect((await redact(target(3), [target(5)])).status).toBe(409);
  expect((await redact(target(3), [target(2)])).status).toBe(409);
  expect(await made()).toBe(before);
  // A caller that missed the answer gets the same answer again, and may redact more events.
  expect(await redact(first, [])).toEqual(done);
  expect((await redact(target(3), [first])).status).toBe(200);
});

test("[REDACT-9] a reason that repeats the words is refused, another one is recorded", async () => {
  expect(await redact(target(2), [], "It said “Launch code”")).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^The reason repeats/) },
  });
  expect(await redact(target(2), [target(3)], "Leaked")).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  const rows = await store.read(document, 1, 2);
  expect(rows.map(({ redactedBy }) => redactedBy)).toEqual([5, 6]);
});
