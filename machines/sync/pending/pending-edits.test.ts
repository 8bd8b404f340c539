import { expect, it } from "vitest";
import * as Y from "yjs";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { isUnsent, memoryOutbox } from "@/events/device/outbox";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { PendingEdits } from "./pending-edits";

const scope = { userId: "ana", documentId: "d" };

/** Returns an update of text typed into a new document. */
function typed(text: string, client = 1): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = client;
  doc.getText("default").insert(0, text);
  return Y.encodeStateAsUpdate(doc);
}

/** Creates pending edits, and lists the number of unsent records on the device after each step. */
async function kept() {
  const outbox = memoryOutbox();
  const box = await outbox.open(scope);
  const unsent: number[] = [];
  const write: typeof box.write = async (change) => {
    await box.write(change);
    unsent.push((await outbox.peek(scope)).filter(isUnsent).length);
  };
  const pending = new PendingEdits({
    box: Promise.resolve({ ...box, write }),
    clock: new VirtualClock(),
    random: seededRandom(1),
    schemaVersion: 1,
    clockOf: () => 0,
    isOwn: () => false,
    added: () => {},
    held: () => {},
    stored: () => {},
  });
  pending.add(typed("words"), () => []);
  await pending.stored();
  return { pending, unsent };
}

const build = (pending: PendingEdits) => pending.buildBatches(() => Promise.resolve());

it("[SYNC-2] keeps an edit on the device until its batch is acknowledged", async () => {
  const { pending, unsent } = await kept();
  expect(await build(pending)).toEqual([]);
  await pending.stored();
  expect(Math.min(...unsent)).toBe(1);
  for (const { proposal } of pending.batches) pending.acknowledge(proposal.id);
  await pending.stored();
  expect(unsent.at(-1)).toBe(0);
});

it("[SYNC-2] keeps an edit on the device while it is rebased", async () => {
  const { pending, unsent } = await kept();
  const update = typed("words", 2);
  const remade = { update, time: 0, inspected: inspectUpdate(update) };
  pending.replace(pending.unacknowledged, [remade], [], null);
  await pending.stored();
  expect(Math.min(...unsent)).toBe(1);
});

it("[SYNC-2] keeps an edit on the device when the log loses it", async () => {
  const { pending, unsent } = await kept();
  await build(pending);
  await pending.stored();
  pending.recall(() => true);
  await pending.stored();
  expect(pending.batches).toEqual([]);
  expect(Math.min(...unsent)).toBe(1);
});

it("[SYNC-19] recalls an edit once, though its event is lost after the edit was rebased", async () => {
  const { pending } = await kept();
  pending.add(typed("more", 2), () => []);
  await build(pending);
  const [batch] = pending.batches;
  const rejected = batch?.edits.slice(0, 1) ?? [];
  pending.acknowledge(batch?.proposal.id ?? "");
  const update = typed("words", 3);
  const remade = { update, time: 0, inspected: inspectUpdate(update) };
  pending.replace(pending.putBack(rejected), [remade], [], null);
  const clients = () =>
    pending.unacknowledged.map(({ inspected }) => inspected.structs[0]?.client).toSorted();
  expect(clients()).toEqual([3]);
  for (let loss = 0; loss < 2; loss += 1) {
    pending.recall(() => true);
    expect(clients()).toEqual([2, 3]);
    await build(pending);
    for (const { proposal } of [...pending.batches]) pending.acknowledge(proposal.id);
  }
});

it("[SYNC-2] keeps an oversized edit of a draft on the device while it is split", async () => {
  const { pending, unsent } = await kept();
  const update = typed("x".repeat(600_000), 3);
  pending.letGo();
  await pending.stored();
  unsent.length = 0;
  const record = { kind: "edit", key: "draft", update, time: 0 } as const;
  pending.takeOver([{ record, composition: null }]);
  await pending.stored();
  expect(pending.count).toBeGreaterThan(1);
  expect(Math.min(...unsent)).toBeGreaterThan(0);
});
