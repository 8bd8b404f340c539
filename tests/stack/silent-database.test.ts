import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as Y from "yjs";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { bombEvent } from "@/tests/support/hostile";
import { pageAs } from "@/tests/support/writers/pages";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { signalDatabase } from "@/tests/support/product/database-signal";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { textblockOf } from "@/tests/support/line";
import { meet } from "@/tests/support/writers/writers";

/** The time limit of light and heavy work together, in ms. */
const budgetMs = 44_000;

let stack: Stack;
let ana: Person;

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
}, 300_000);
afterAll(() => stack.dispose());

test("[START-20] [LOG-56] a slow answer of the database does not mark a document as unreadable", async () => {
  const document = await meet([ana]);
  const doc = new Y.Doc();
  const made: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => made.push(encodeEdits([{ update, time: 0 }])));
  doc.transact(() => textblockOf(doc).insert(0, "words"));
  doc.transact(() => textblockOf(doc).insert(5, " and more"));
  const [first, second] = made.map((update, index) =>
    bombEvent(update, index === 0 ? [doc.clientID] : []),
  );
  if (!first || !second) throw new Error("Nothing was written.");
  const store = supabaseStore(ana.client);
  granted(await store.append(document, null, [first]));
  const asAna = await pageAs(ana);
  expect((await asAna(`${stack.url}/d/${document}`)).status).toBe(200);
  await signalDatabase(stack, "SIGSTOP");
  try {
    const opening = asAna(`${stack.url}/d/${document}`).then(
      (answer) => answer.text(),
      () => "",
    );
    await delay(budgetMs + 4_000);
    await signalDatabase(stack, "SIGCONT");
    await opening;
  } finally {
    await signalDatabase(stack, "SIGCONT");
  }
  await expect.poll(async () => (await asAna(`${stack.url}/d/${document}`)).status).toBe(200);
  expect((await service(stack).rpc("read_load", { stream: document })).data).toMatchObject({
    stoppedAt: null,
  });
  granted(await store.append(document, null, [second]));
}, 300_000);
