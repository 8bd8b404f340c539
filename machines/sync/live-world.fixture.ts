import * as Y from "yjs";
import { memoryOutbox } from "@/events/device/outbox";
import type { Outbox, OutboxBox } from "@/events/device/outbox";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import type { MemoryTab } from "@/events/backend/memory-backend.fixture";
import type { Clock } from "@/events/core/clock";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { LiveDocument, LiveDocumentInput } from "./live-document";
import { openDocument } from "./open-document";
import { status } from "./sync-status";

/** The document that is open in all tabs. */
export const stream = "00000000-0000-4000-8000-00000000d0c5";

/** Creates a backend in memory, a clock that tests advance, and tabs that open the document. */
export function world() {
  const clock = new VirtualClock();
  const random = seededRandom(7);
  const backend = new MemoryBackend(clock, random);
  for (const user of ["ana", "ben", "carol"]) backend.allow(user, "editor");
  const outboxes = new Map<string, Outbox>();
  const open = (tab: MemoryTab, more: Partial<LiveDocumentInput> = {}) => {
    const outbox = outboxes.get(tab.user) ?? memoryOutbox();
    outboxes.set(tab.user, outbox);
    return openDocument({
      documentId: stream,
      userId: tab.user,
      store: tab.store(),
      channels: tab.channels(),
      outbox,
      clock,
      random,
      schemaVersion: 1,
      ...more,
    });
  };
  return { clock, random, backend, open };
}

/** Types into the first paragraph, which is created if it is missing. */
export function type(live: LiveDocument, text: string, at = Infinity) {
  live.doc.transact(() => {
    let paragraph = live.fragment.get(0);
    if (!(paragraph instanceof Y.XmlElement)) {
      paragraph = new Y.XmlElement("paragraph");
      paragraph.insert(0, [new Y.XmlText()]);
      live.fragment.insert(0, [paragraph]);
    }
    const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
    if (textblock instanceof Y.XmlText) textblock.insert(Math.min(at, textblock.length), text);
  });
}

/** Creates a clock whose turns take time, so that other work runs. `turn` runs in yielded turns. */
export const patientClock = (clock: Clock, turn: () => void): Clock => ({
  now: () => clock.now(),
  elapsed: () => clock.elapsed(),
  after: (delay, run) =>
    clock.after(Math.max(20, delay), () => {
      if (delay === 0) turn();
      run();
    }),
});

/** Creates a paragraph with these words. */
export function paragraph(words: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(words)]);
  return element;
}

/** Creates an update with paragraphs under a client id, starting at clock 0. */
export function paragraphsUnder(clientId: number, words: readonly string[]): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = clientId;
  doc.getXmlFragment("default").insert(0, words.map(paragraph));
  return Y.encodeStateAsUpdate(doc);
}

/** Creates an update with one paragraph under a client id, starting at clock 0. */
export const paragraphUnder = (clientId: number, words: string): Uint8Array =>
  paragraphsUnder(clientId, [words]);

type Logged = {
  backend: MemoryBackend;
  clientId: number;
  update: Uint8Array;
  /** The client ids that the event binds, unless it binds only `clientId`. */
  clientIds?: number[];
};

/** Appends, as Carol, an update under a client id that may belong to another person. */
export function logUnder({ backend, clientId, update, clientIds = [clientId] }: Logged): void {
  const payload = encodeEdits([{ update, time: 0 }]);
  const id = `of ${clientId}`;
  const answer = backend.append("carol", stream, [
    { id, type: "document.edited", body: {}, update: payload, clientIds },
  ]);
  if (!answer.ok) throw new Error(answer.refusal.detail);
}

/** Returns the words that a tab shows, without their paragraphs. */
export const textOf = (live: Pick<LiveDocument, "fragment">) =>
  live.fragment.toString().replace(/<\/?paragraph>/g, "");

/** Collects every later change of the status label. */
export function labelsOf(live: LiveDocument): string[] {
  const labels: string[] = [];
  let last: string = status(live.sync.getSnapshot()).label;
  live.sync.subscribe((snapshot) => {
    const { label } = status(snapshot);
    if (label !== last) labels.push(label);
    last = label;
  });
  return labels;
}

/** Folds the document from the log alone. */
export function fromLog(backend: MemoryBackend): ConfirmedDocument {
  const confirmed = new ConfirmedDocument(null);
  for (const row of backend.log(stream)) confirmed.integrate(row);
  return confirmed;
}

/** Returns the words that the log has, without their paragraphs. */
export const logText = (backend: MemoryBackend) =>
  fromLog(backend)
    .doc.getXmlFragment("default")
    .toString()
    .replace(/<\/?paragraph>/g, "");

/** Creates an outbox whose open box can be left behind, as by a crashed tab, and its device. */
export function crashingOutbox(plain = memoryOutbox()): {
  outbox: Outbox;
  plain: ReturnType<typeof memoryOutbox>;
  crash(): void;
} {
  let box: OutboxBox | null = null;
  return {
    plain,
    outbox: { ...plain, open: async (scope) => (box = await plain.open(scope)) },
    crash: () => box && plain.crash(box),
  };
}

/** Forges an update under this tab's client id: a word after the text's first letter. */
export function forgery({ doc }: Pick<LiveDocument, "doc">): Uint8Array {
  const forged = new Y.Doc();
  Y.applyUpdate(forged, Y.encodeStateAsUpdate(doc));
  const before = Y.encodeStateVector(forged);
  forged.clientID = doc.clientID;
  const paragraph = forged.getXmlFragment("default").get(0);
  const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
  if (textblock instanceof Y.XmlText) textblock.insert(1, "EVIL");
  return Y.encodeStateAsUpdate(forged, before);
}
