import * as Y from "yjs";
import { payloadDictionary } from "@/events/crdt/payload/payload-dictionary";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";

type SessionOptions = { writers: number; edits: number; seed: number };

type Random = () => number;

/** Creates a Mulberry32 generator, which returns the same numbers from 0 to 1 for a seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words = [
  ...new Set(new TextDecoder().decode(payloadDictionary).match(/[A-Za-z]{1,12}/g) ?? ["the"]),
];
const start = Date.UTC(2026, 0, 5, 9);
const longestParagraph = 700;
const replicas = 3;
const syncEvery = 40;

type Writer = {
  client: number;
  actorId: string;
  replica: number;
  text: Y.XmlText | null;
  caret: number;
  pending: string;
  erase: number;
};
type Replica = { doc: Y.Doc; root: Y.XmlFragment; unseen: Uint8Array[] };

/** Returns a random word. Common words are frequent and rare words infrequent, as in writing. */
function word(random: Random): string {
  return words[Math.floor(words.length * random() ** 3)] ?? "the";
}

function sentence(random: Random): string {
  const text = Array.from({ length: 4 + Math.floor(random() * 12) }, () => word(random)).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. `;
}

function block(name: string, text: string): { element: Y.XmlElement; text: Y.XmlText } {
  const element = new Y.XmlElement(name);
  const textblock = new Y.XmlText();
  if (text !== "") textblock.insert(0, text);
  element.insert(0, [textblock]);
  return { element, text: textblock };
}

function textOf(root: Y.XmlFragment, index: number): Y.XmlText | null {
  const element = root.get(index);
  const textblock = element instanceof Y.XmlElement ? element.get(0) : null;
  return textblock instanceof Y.XmlText ? textblock : null;
}

function placeOf(root: Y.XmlFragment, text: Y.XmlText): number {
  return root
    .toArray()
    .findIndex((element) => element instanceof Y.XmlElement && element.get(0) === text);
}

/** Moves a writer's caret to a random place in any paragraph. */
function wander(writer: Writer, { root }: Replica, random: Random): void {
  writer.text = textOf(root, Math.floor(random() * root.length));
  writer.caret = Math.floor(random() * ((writer.text?.length ?? 0) + 1));
}

/** Presses Enter: moves the rest of the line into a new block, as y-tiptap does. */
function split(writer: Writer, { root }: Replica, random: Random): void {
  const { text, caret } = writer;
  if (!text) return;
  const at = placeOf(root, text);
  const rest = text
    .toString()
    .replace(/<[^>]*>/g, "")
    .slice(caret);
  const heading = random() < 0.1;
  const made = block(heading ? "heading" : "paragraph", rest);
  if (heading)
    made.element.setAttribute("level", (1 + Math.floor(random() * 3)) as unknown as string);
  if (text.length > caret) text.delete(caret, text.length - caret);
  root.insert(at + 1, [made.element]);
  writer.text = made.text;
  writer.caret = 0;
}

function emphasise(text: Y.XmlText, random: Random): void {
  const from = Math.floor(random() * text.length);
  const length = Math.min(text.length - from, 3 + Math.floor(random() * 20));
  const marks = [
    { bold: {} },
    { italic: {} },
    { link: { href: "https://example.com/" } },
    { bold: null },
  ];
  if (length > 0) text.format(from, length, marks[Math.floor(random() * marks.length)] ?? {});
}

/** Makes one edit of one writer as one transaction. The writer keeps state for the next edit. */
function act(writer: Writer, replica: Replica, random: Random): void {
  const { root } = replica;
  if (
    !writer.text ||
    writer.text.parent === null ||
    writer.text._item?.deleted ||
    writer.text._item?.parent === null
  )
    wander(writer, replica, random);
  const text = writer.text;
  if (!text) {
    const made = block("paragraph", "");
    root.insert(root.length, [made.element]);
    writer.text = made.text;
    writer.caret = 0;
    return;
  }
  writer.caret = Math.min(writer.caret, text.length);
  if (writer.erase > 0 && writer.caret > 0) {
    writer.erase -= 1;
    writer.caret -= 1;
    text.delete(writer.caret, 1);
    return;
  }
  if (writer.pending !== "") {
    text.insert(writer.caret, writer.pending.charAt(0));
    writer.pending = writer.pending.slice(1);
    writer.caret += 1;
    if (random() < 0.02) writer.erase = 1 + Math.floor(random() * 8);
    return;
  }
  const choice = random();
  writer.pending = sentence(random);
  if (text.length > longestParagraph || choice < 0.12) split(writer, replica, random);
  else if (choice < 0.3) wander(writer, replica, random);
  else if (choice < 0.42 && text.length > 3) emphasise(text, random);
  else if (choice < 0.5 && text.length > 40) {
    const from = Math.floor(random() * (text.length - 20));
    text.delete(from, 20);
    writer.caret = from;
  } else if (choice < 0.53 && root.length > writer.client % 20) {
    root.delete(placeOf(root, text), 1);
    writer.text = null;
  } else if (choice < 0.56) {
    text.insert(writer.caret, writer.pending);
    writer.caret += writer.pending.length;
    writer.pending = "";
  } else {
    text.insert(writer.caret, writer.pending.charAt(0));
    writer.pending = writer.pending.slice(1);
    writer.caret += 1;
  }
  if (!writer.text) wander(writer, replica, random);
}

function newReplica(): Replica {
  const doc = new Y.Doc();
  doc.on(
    "afterTransaction",
    (transaction: Y.Transaction) => (transaction._needFormattingCleanup = false),
  );
  return { doc, root: doc.getXmlFragment("default"), unseen: [] };
}

/**
 * Generates a session of rich text, which is the same for the same options. People type, erase,
 * split, format, paste and delete in one document, a second of one person's edits at a time. Three
 * groups exchange edits only now and then, so that their work is concurrent. Each batch is one
 * event of the log.
 */
export function* generatedSession({
  writers: count,
  edits,
  seed,
}: SessionOptions): Generator<AuthoredEdit[]> {
  const random = seeded(seed);
  const all = Array.from({ length: replicas }, newReplica);
  const writers = Array.from({ length: count }, (_, index): Writer => {
    const client = 1_000_000_000 + Math.floor(random() * 3_000_000_000);
    return {
      client,
      actorId: `person ${index}`,
      replica: index % replicas,
      text: null,
      caret: 0,
      pending: "",
      erase: 0,
    };
  });
  let batch: AuthoredEdit[] = [];
  let now = start;
  let author = "";
  for (const replica of all) {
    replica.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === "peer") return;
      batch.push({ update, time: now, actorId: author });
      for (const other of all) if (other !== replica) other.unseen.push(update);
    });
  }
  for (let made = 0, turn = 0; made < edits; turn += 1) {
    const writer = writers[Math.floor(random() * random() * writers.length)];
    const replica = writer && all[writer.replica];
    if (!writer || !replica) continue;
    // All replicas share the first paragraphs. Later, the replicas diverge for a while.
    if (turn % syncEvery === 0 || turn < 20)
      for (const each of all)
        for (const update of each.unseen.splice(0)) Y.applyUpdate(each.doc, update, "peer");
    batch = [];
    author = writer.actorId;
    replica.doc.clientID = writer.client;
    const began = now;
    for (let left = Math.min(edits - made, 2 + Math.floor(random() * 7)); left > 0; left -= 1) {
      replica.doc.transact(() => act(writer, replica, random));
      now += 48 + Math.floor(random() * 200);
    }
    // Others type in the same second, so the times overlap.
    now = began + Math.floor((now - began) * 0.3) + (turn % 2000 === 0 ? 3_600_000 : 0);
    made += batch.length;
    if (batch.length > 0) yield batch;
  }
}
