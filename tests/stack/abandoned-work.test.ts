import { randomUUID } from "node:crypto";
import * as Y from "yjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schemaVersion } from "@/events/content/schema";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";

let stack: Stack;
let ana: Person;
let mallory: Person;

beforeAll(async () => {
  stack = await startStack();
  [ana, mallory] = [await signUp(stack, "Ana"), await signUp(stack, "Mallory")];
});
afterAll(() => stack.dispose());

/** Writes `paragraphs` paragraphs into a new document of this person. */
async function written(person: Person, paragraphs: number): Promise<string> {
  const document = await meet([person]);
  for (let left = paragraphs; left > 0; left -= 300) {
    const doc = new Y.Doc();
    const text = doc.getXmlFragment("default");
    for (let block = Math.min(left, 300); block > 0; block -= 1) {
      const paragraph = new Y.XmlElement("paragraph");
      text.push([paragraph]);
      paragraph.push([new Y.XmlText("Some words that are set in lines. ".repeat(30))]);
    }
    const now = new Date();
    const edited = {
      id: randomUUID(),
      type: "document.edited" as const,
      body: {},
      schema: schemaVersion,
      clientIds: [doc.clientID],
      update: encodeEdits([{ update: Y.encodeStateAsUpdate(doc), time: now.getTime() }]),
      clientTime: now.toISOString(),
    };
    granted(await supabaseStore(person.client).append(document, null, [edited]));
  }
  return document;
}

async function pdfOf(person: Person, document: string, signal?: AbortSignal) {
  const ask = await pageAs(person);
  return ask(`${stack.url}/d/${document}/download?as=pdf`, signal ? { signal } : {});
}

/** Returns the number of running file tasks, for large and small texts, and of waiting ones. */
async function filesUnderWay(): Promise<{ running: number; waiting: number }> {
  const text = await (await fetch(`${stack.url}/metrics`)).text();
  const read = (name: string) =>
    Number(new RegExp(`^palimpsest_tasks_${name}\\{pool="files"\\} (\\d+)`, "m").exec(text)?.[1]);
  return { running: read("running"), waiting: read("waiting") };
}

test("[FORMAT-8] [START-29] a small PDF does not wait for large ones, which end with their requests", async () => {
  const [large, small] = [await written(mallory, 900), await written(ana, 1)];
  const leaving = new AbortController();
  const gone = [1, 2, 3].map(() =>
    pdfOf(mallory, large, leaving.signal).then(
      () => "answered",
      () => "gone",
    ),
  );
  await expect
    .poll(filesUnderWay, { timeout: 60_000 })
    .toEqual({ running: 1, waiting: expect.any(Number) });
  const answer = await pdfOf(ana, small);
  expect([answer.status, (await filesUnderWay()).running]).toEqual([200, 1]);
  leaving.abort();
  expect(await Promise.all(gone)).toEqual(["gone", "gone", "gone"]);
  await expect.poll(filesUnderWay, { timeout: 5_000 }).toEqual({ running: 0, waiting: 0 });
});
