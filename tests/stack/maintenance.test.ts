import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as Y from "yjs";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { storedSegments } from "@/events/history/segments/segment-store";
import { checkHistory, nothingRemembered } from "@/events/proof/verification";
import { ShownText } from "@/events/proof/shown-text";
import { readSnapshot, renewCaches, writeSnapshot } from "@/events/crdt/validation/snapshot";
import { supabaseStore } from "@/events/log/store";
import { databaseUrl } from "@/tests/support/product/backend";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { textblockOf } from "@/tests/support/line";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";

let stack: Stack;
let ana: Person;
let document: string;

const events = 320;
const perAppend = 80;

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  document = await meet([ana]);
  const doc = new Y.Doc();
  const store = supabaseStore(ana.client);
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  for (let at = 0; at < events; at += 1)
    doc.transact(() => textblockOf(doc).insert(at, String.fromCharCode(97 + (at % 26))));
  for (let at = 0; at < events; at += perAppend) {
    const proposals = updates.slice(at, at + perAppend).map((update, index) => ({
      id: randomUUID(),
      type: "document.edited",
      body: {},
      clientTime: new Date(0).toISOString(),
      update: encodeEdits([{ update, time: 0 }]),
      clientIds: at + index === 0 ? [doc.clientID] : [],
      schema: 1,
    }));
    granted(await store.append(document, null, proposals));
  }
}, 120_000);
afterAll(() => stack.dispose());

/** Starts a maintenance run like a scheduled call. */
const round = (key: string) =>
  fetch(`${stack.url}/upkeep`, { method: "POST", headers: { authorization: `Bearer ${key}` } });

/** Ages the document's mark, which is taken only after ten seconds. */
async function settle(): Promise<void> {
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1 });
  await sql`update private.upkeep set marked_at = marked_at - interval '10 seconds' where stream_id = ${document}`;
  await sql.end();
}

async function storedVersions(): Promise<{ snapshot: number; segmented: number }> {
  let segmented = 0;
  for await (const { toVersion } of storedSegments(ana.client, document)) segmented = toVersion;
  return { snapshot: (await readSnapshot(ana.client, document))?.version ?? 0, segmented };
}

test("[SEGMENT-6] new events get a snapshot and segments without an open page", async () => {
  const { version } = await supabaseStore(ana.client)
    .read(document, 0)
    .then((rows) => rows.at(-1) ?? { version: 0 });
  expect(version).toBeGreaterThan(events);
  await expect
    .poll(storedVersions, { timeout: 100_000, interval: 1_000 })
    .toEqual({ snapshot: version, segmented: version });
}, 120_000);

test(
  "[VERIFY-9] [SEGMENT-8] a check finds a snapshot that differs from the log, and a request " +
    "rebuilds it",
  async () => {
    const store = supabaseStore(ana.client);
    const check = async () => {
      const shown = await readSnapshot(ana.client, document);
      return checkHistory({
        stream: document,
        source: store,
        remembered: nothingRemembered,
        redactionOf: () => null,
        ...(shown && { shown: new ShownText(shown) }),
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
    };
    expect(await check()).toMatchObject({ verdict: "intact" });
    const before = await readSnapshot(ana.client, document);
    const head = (await store.read(document, 0)).at(-1);
    if (!before || !head) throw new Error("Nothing was kept.");
    const forged = new Y.Doc();
    forged.getXmlFragment("default").insert(0, [new Y.XmlText("Forged")]);
    await writeSnapshot(
      service(stack),
      document,
      { ...before, state: Y.encodeStateAsUpdate(forged) },
      { head: head.hash },
    );
    expect(await check()).toMatchObject({ verdict: "other-text", head: { version: head.version } });
    await renewCaches(ana.client, document);
    await settle();
    expect((await round(stack.keys.secretKey)).status).toBe(200);
    await expect
      .poll(storedVersions, { timeout: 60_000 })
      .toEqual({ snapshot: head.version, segmented: head.version });
    expect(await check()).toMatchObject({ verdict: "intact" });
  },
  90_000,
);

test("[DOOR-4] the service alone may send a state as large as a long document's", async () => {
  const state = Buffer.alloc(3_000_000, 7).toString("base64");
  const { error } = await service(stack).rpc("write_snapshot", {
    stream: document,
    version: 1,
    state,
  });
  expect(error).toBeNull();
  const refused = await fetch(`${stack.url}/rest/v1/rpc/write_snapshot`, {
    method: "POST",
    headers: {
      apikey: stack.keys.publishableKey,
      "content-type": "application/json",
      "content-length": String(state.length),
    },
    body: state,
  }).then(
    ({ status }) => status,
    () => 413,
  );
  expect(refused).toBe(413);
}, 60_000);

test("[SEGMENT-6] the service alone may start a round of maintenance", async () => {
  const answers = await Promise.all([
    round(stack.keys.publishableKey),
    round(await ana.accessToken()),
    round(""),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  const answer = await round(stack.keys.secretKey);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { documents: 0, indexed: expect.any(Number) },
  ]);
}, 60_000);
