import { toBase64 } from "lib0/buffer";
import * as Y from "yjs";
import { expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { memoryOutbox } from "@/events/device/outbox";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { pendingEdit } from "@/events/crdt/updates/pending-edit";
import { buildBatch } from "./edit-batch";
import { readLeft } from "./leftovers";
import { documentOf, letGo, readUnsent } from "./unsent-text";

const scope = { userId: "ana", documentId: "00000000-0000-4000-8000-00000000d0c7" };
const random = seededRandom(3);

/** Creates the leftovers of a dead tab: two letters and an unreadable record. */
async function left() {
  const outbox = memoryOutbox();
  const box = await outbox.open(scope);
  const doc = new Y.Doc();
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const textblock = new Y.XmlText();
  doc.getXmlFragment("default").insert(0, [textblock]);
  textblock.insert(0, "a");
  textblock.insert(1, "b");
  await box.write({
    put: updates.map((update, index) => ({
      kind: "edit",
      key: String(index),
      update,
      time: index,
    })),
  });
  await box.write({
    put: [
      {
        kind: "broken",
        key: "x",
        found: { update: new TextEncoder().encode("\u0000 and remains \u0001") },
      },
    ],
  });
  return { outbox, box };
}

it("[OFFLINE-11] unsent text is read while a tab holds it, and stays there", async () => {
  const { outbox } = await left();
  const unsent = await readUnsent(outbox, scope);
  expect(unsent).toMatchObject({ text: "ab\nand remains", changes: 4 });
  expect(unsent?.records.map(({ key }) => key)).toEqual(["0", "1", "2", "x"]);
  expect(await readUnsent(outbox, scope)).not.toBeNull();
  expect(await readUnsent(outbox, { ...scope, documentId: "another" })).toBeNull();
});

it("[OFFLINE-12] unsent text is not read for another person", async () => {
  const { outbox } = await left();
  expect(await readUnsent(outbox, { ...scope, userId: "ben" })).toBeNull();
});

it("[OFFLINE-11] unsent text is removed only once the tab that holds it has closed", async () => {
  const { outbox, box } = await left();
  const clock = new VirtualClock();
  const { records = [] } = (await readUnsent(outbox, scope)) ?? {};
  const going = letGo(outbox, scope, clock, "remove", records);
  await clock.advance(1_000);
  expect(await outbox.documents("ana")).toHaveLength(1);
  await box.close();
  await clock.advance(1_000);
  await going;
  expect(await outbox.documents("ana")).toEqual([]);
});

it("[OFFLINE-11] only the unsent text that was read is removed: later edits stay", async () => {
  const { outbox, box } = await left();
  const { records = [] } = (await readUnsent(outbox, scope)) ?? {};
  const doc = new Y.Doc();
  doc.getXmlFragment("default").insert(0, [new Y.XmlText("later")]);
  await box.write({
    put: [{ kind: "edit", key: "later", update: Y.encodeStateAsUpdate(doc), time: 9 }],
  });
  await box.close();
  await letGo(outbox, scope, new VirtualClock(), "remove", records);
  expect(await readUnsent(outbox, scope)).toMatchObject({
    text: "later",
    records: [{ key: "later" }],
  });
});

it.each([
  ["is dropped even if it was put into a batch meanwhile", [], undefined],
  ["stays in a batch that also holds later edits", ["later"], ["batch"]],
])("[OFFLINE-11] %s", async (_, since, kept) => {
  const { outbox, box } = await left();
  const { records = [] } = (await readUnsent(outbox, scope)) ?? {};
  const { edits } = readLeft(records);
  const more = since.map((words) => {
    const doc = new Y.Doc();
    doc.getXmlFragment("default").insert(0, [new Y.XmlText(words)]);
    return pendingEdit(words, Y.encodeStateAsUpdate(doc), 9);
  });
  const all = [...edits, ...more];
  const { proposal } = buildBatch("batch", all, { id: random.uuid(), schema: 1 });
  await box.write({
    put: [{ kind: "event", key: "batch", proposal, edits: all.length }],
    remove: edits.map(({ key }) => key),
  });
  await box.close();
  await letGo(outbox, scope, new VirtualClock(), "setAside", records);
  const rest = await readUnsent(outbox, scope);
  expect(rest?.records.map(({ key }) => key)).toEqual(kept);
});

it(
  "[OFFLINE-11] [SYNC-45] a document of incompressible text is created " + "in requests that fit",
  async () => {
    const clock = new VirtualClock();
    const source = seededRandom(5);
    const text = Array.from({ length: 500_000 }, () =>
      String.fromCharCode(0x4e00 + source.below(20_000)),
    ).join("");
    const requests = documentOf(text, {
      workspaceId: "w",
      title: "Rescued",
      random,
      clock,
      schema: 1,
    });
    const sizes = requests.map(
      (proposals) =>
        JSON.stringify(
          proposals.map((proposal) => ({
            ...proposal,
            update: toBase64(proposal.update ?? new Uint8Array()),
          })),
        ).length,
    );
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(1024 * 1024);
  },
);

it("[OFFLINE-11] a document of any length is created, with a paragraph for each line", async () => {
  const clock = new VirtualClock();
  const backend = new MemoryBackend(clock, random);
  backend.allow("ana", "editor");
  const textblocks = ["First", "", "x".repeat(700_000), "Last 😀"];
  const [created, ...requests] = documentOf(textblocks.join("\n"), {
    workspaceId: "w",
    title: "Rescued",
    random,
    clock,
    schema: 1,
  });
  expect(created).toMatchObject([
    { type: "document.created", body: { workspaceId: "w", title: "Rescued" } },
  ]);
  for (const proposals of requests) {
    for (const { update } of proposals) expect(update?.length).toBeLessThan(512 * 1024);
    backend.append("ana", scope.documentId, proposals);
  }
  const confirmed = new ConfirmedDocument(null);
  for (const row of backend.log(scope.documentId)) confirmed.integrate(row);
  expect(confirmed.anomalies).toEqual([]);
  expect(
    confirmed.doc
      .getXmlFragment("default")
      .toArray()
      .map((node) => node.toString().replace(/<[^>]+>/g, "")),
  ).toEqual(textblocks);
});
