import * as Y from "yjs";
import { eventBytes } from "./unbatched-edits";
import { inAppends } from "@/events/log/append-size";
import type { Clock, Random } from "@/events/core/clock";
import type { Outbox, OutboxRecord, OutboxScope } from "@/events/device/outbox";
import type { Proposal } from "@/events/core/envelope";
import { ClockRanges } from "@/events/crdt/updates/clock-ranges";
import { inEvents, pendingEdit } from "@/events/crdt/updates/pending-edit";
import { splitUpdate } from "@/events/crdt/updates/split-update";
import type { Range } from "@/events/crdt/updates/yjs-update";
import { readLeft, textOf } from "./leftovers";
import { buildBatch } from "./edit-batch";

/**
 * The text that one person wrote in a document and that only this device has, with the `records`
 * that hold it.
 */
export type Unsent = { text: string; changes: number; records: readonly OutboxRecord[] };

/** How often tabs that keep records are requested to hand them over, and the pause in ms. */
const asks = 10;
const pause = 500;

/** Reads the unsent text in every tab's outbox. Returns null if there is none. */
export async function readUnsent(
  outbox: Pick<Outbox, "peek">,
  scope: OutboxScope,
): Promise<Unsent | null> {
  const records = await outbox.peek(scope);
  const left = readLeft(records);
  const changes =
    left.edits.length +
    left.events.reduce((sum, { edits }) => sum + edits.length, 0) +
    left.unreadable.length;
  return changes === 0 ? null : { text: textOf(left), changes, records };
}

const editsIn = (records: readonly OutboxRecord[]) => {
  const { edits, events } = readLeft(records);
  return [...edits, ...events.flatMap((event) => event.edits)];
};

/**
 * Returns a test for records that hold only edits of `read`. A tab that sends edits batches them
 * into a new record with another key.
 */
function amongThose(read: readonly OutboxRecord[]): (record: OutboxRecord) => boolean {
  const keys = new Set(read.map(({ key }) => key));
  const [inserted, deleted] = [new ClockRanges(), new ClockRanges()];
  const beyond = (ranges: ClockRanges, range: Range) => ranges.parts(range).outside;
  const addTo = (ranges: ClockRanges, range: Range) => {
    for (const part of beyond(ranges, range)) ranges.add(part);
  };
  for (const { inspected } of editsIn(read)) {
    for (const range of inspected.structs) addTo(inserted, range);
    for (const range of inspected.deletes) addTo(deleted, range);
  }
  return (record) => {
    if (keys.has(record.key)) return true;
    const edits = editsIn([record]);
    return (
      edits.length > 0 &&
      edits.every(
        ({ inspected: { structs, deletes } }) =>
          structs.every((range) => beyond(inserted, range).length === 0) &&
          deletes.every((range) => beyond(deleted, range).length === 0),
      )
    );
  };
}

/**
 * Removes the unsent records in `read` from the device, or sets them aside where no tab takes them
 * over and sends them. Text that another living tab shows stays with that tab, and later records
 * stay on the device.
 */
export async function letGo(
  outbox: Pick<Outbox, "open">,
  scope: OutboxScope,
  clock: Clock,
  how: "remove" | "setAside",
  read: readonly OutboxRecord[],
): Promise<void> {
  const isRead = amongThose(read);
  const box = await outbox.open(scope);
  try {
    for (let ask = 0; ask < asks; ask += 1) {
      const found = (await box.takeOverLeftovers()).filter(isRead);
      if (found.length > 0) await box.write({ [how]: found.map(({ key }) => key) });
      if ((await box.elsewhere()) === null) return;
      box.want();
      await new Promise<void>((resolve) => clock.after(pause, resolve));
    }
  } finally {
    await box.close();
  }
}

/**
 * Returns the events that create a document with this text, one paragraph per line, as consecutive
 * appends.
 */
export function documentOf(
  text: string,
  {
    workspaceId,
    title,
    random,
    clock,
    schema,
  }: { workspaceId: string; title: string; random: Random; clock: Clock; schema: number },
): Proposal[][] {
  const doc = new Y.Doc();
  doc.clientID = random.clientId();
  const paragraphs = text.split("\n").map((line) => {
    const paragraph = new Y.XmlElement("paragraph");
    if (line !== "") paragraph.insert(0, [new Y.XmlText(line)]);
    return paragraph;
  });
  doc.getXmlFragment("default").insert(0, paragraphs);
  const edits = splitUpdate(Y.encodeStateAsUpdate(doc), eventBytes).map((update) =>
    pendingEdit("", update, clock.now()),
  );
  doc.destroy();
  const events = inEvents(edits, eventBytes, 1).map(
    (one) => buildBatch("", one, { id: random.uuid(), schema }).proposal,
  );
  const created: Proposal = {
    id: random.uuid(),
    type: "document.created",
    body: { workspaceId, title },
  };
  return [[created], ...inAppends(events)];
}
