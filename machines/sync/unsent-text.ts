import * as Y from "yjs";
import { eventBytes } from "./unbatched-edits";
import { inAppends } from "@/events/log/append-size";
import { type Clock, type Random } from "@/events/core/clock";
import { type Outbox, type OutboxScope } from "@/events/device/outbox";
import { type Proposal } from "@/events/core/envelope";
import { inEvents, pendingEdit } from "@/events/crdt/updates/pending-edit";
import { splitUpdate } from "@/events/crdt/updates/split-update";
import { readLeft, textOf } from "./leftovers";
import { buildBatch } from "./edit-batch";

/** What one person wrote in one document, lies on this device and is not in the log; `keys` are its records there. */
export type Unsent = { text: string; changes: number; keys: ReadonlySet<string> };

/** How often those who keep something are asked to give it up, and how long they are waited for. */
const asks = 10;
const pause = 500;

/** Reads what is unsent, whoever keeps it; null where nothing is. */
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
  return changes === 0
    ? null
    : { text: textOf(left), changes, keys: new Set(records.map(({ key }) => key)) };
}

/**
 * Removes what was read of the unsent (`keys`) from the device, or sets it aside there, where no
 * tab takes it to be sent. What another living tab shows stays with that tab, and what came since
 * stays on the device.
 */
export async function letGo(
  outbox: Pick<Outbox, "open">,
  scope: OutboxScope,
  clock: Clock,
  how: "remove" | "setAside",
  keys: ReadonlySet<string>,
): Promise<void> {
  const box = await outbox.open(scope);
  try {
    for (let ask = 0; ask < asks; ask += 1) {
      const read = (await box.takeOverLeftovers()).filter(({ key }) => keys.has(key));
      if (read.length > 0) await box.write({ [how]: read.map(({ key }) => key) });
      if ((await box.elsewhere()) === null) return;
      box.want();
      await new Promise<void>((resolve) => clock.after(pause, resolve));
    }
  } finally {
    await box.close();
  }
}

/** What begins a document with this text, a paragraph for each line: requests to be appended one after the other. */
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
