import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { deletionOf } from "../deletion";
import { pendingEdit } from "../pending-edit";
import { ClientRebase } from "./client-rebase";
import { inspectUpdate } from "../update-inspection";

const root = "default";

/** Creates a client's page, which collects the page's updates. */
function page(clientId: number, ...from: Uint8Array[]) {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = clientId;
  for (const update of from) Y.applyUpdate(doc, update, "others");
  const made: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array, origin: unknown) => {
    if (origin !== "others") made.push(update);
  });
  return { doc, made, fragment: doc.getXmlFragment(root) };
}

function paragraph(text: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(text)]);
  return element;
}

function textblockOf(fragment: Y.XmlFragment, index: number): Y.XmlText {
  const element = fragment.get(index);
  const textblock = element instanceof Y.XmlElement ? element.get(0) : null;
  if (!(textblock instanceof Y.XmlText)) throw new Error("there is no such line");
  return textblock;
}

const editsOf = (updates: Uint8Array[]) =>
  updates.map((update, index) => pendingEdit(String(index), update, 1_000 + index));

function remade(
  base: ReturnType<typeof page>,
  unlogged: Uint8Array[],
  own: Uint8Array[],
  slice = 2,
) {
  const state = Y.encodeStateAsUpdate(base.doc);
  const made = new ClientRebase(99, [root]);
  made.grow(state);
  made.layOut(unlogged.map(inspectUpdate));
  const edits = editsOf(own);
  for (let at = 0; at < edits.length; at += slice)
    made.take(edits.slice(at, at + slice), () => true);
  const updates = made.remade.map(({ update }) => update);
  // The updates alone, applied to the log alone, result in the same page, so they depend on nothing
  // that was left out.
  const reader = new Y.Doc();
  for (const update of [state, ...updates]) {
    Y.applyUpdate(reader, update);
    expect(reader.store.pendingStructs).toBeNull();
    expect(reader.store.pendingDs).toBeNull();
  }
  expect(reader.getXmlFragment(root).toString()).toBe(made.doc.getXmlFragment(root).toString());
  for (const { client } of updates.flatMap((update) => inspectUpdate(update).structs))
    expect(client).toBe(99);
  return { made, updates, deferred: made.deferred, text: made.doc.getXmlFragment(root).toString() };
}

describe("rebasing edits under a new client id", () => {
  it("keeps own letters, marks and attributes, and drops those of others", () => {
    const log = page(1);
    log.fragment.insert(0, [paragraph("Hello world")]);
    const ana = page(2, Y.encodeStateAsUpdate(log.doc));
    textblockOf(ana.fragment, 0).insert(5, " big");
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc));
    textblockOf(ben.fragment, 0).insert(9, "ger", { bold: true });
    const heading = new Y.XmlElement("heading");
    heading.setAttribute("level", "2");
    heading.insert(0, [new Y.XmlText("Title")]);
    ben.fragment.insert(0, [heading]);
    textblockOf(ben.fragment, 1).delete(0, 1);
    expect(remade(log, ana.made, ben.made).text).toBe(
      '<heading level="2">Title</heading><paragraph>ello<bold>ger</bold> world</paragraph>',
    );
  });

  it("keeps another person’s node around own letters, without the other letters", () => {
    const log = page(1);
    log.fragment.insert(0, [paragraph("first")]);
    const ana = page(2, Y.encodeStateAsUpdate(log.doc));
    ana.fragment.insert(1, [paragraph("ana only"), paragraph("shared")]);
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc));
    textblockOf(ben.fragment, 2).insert(3, "BEN");
    expect(remade(log, ana.made, ben.made).text).toBe(
      "<paragraph>first</paragraph><paragraph>BEN</paragraph>",
    );
  });

  it("defers deletions of content that the log lacks", () => {
    const log = page(1);
    log.fragment.insert(0, [paragraph("abc")]);
    const ana = page(2, Y.encodeStateAsUpdate(log.doc));
    textblockOf(ana.fragment, 0).insert(3, "xyz");
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc));
    textblockOf(ben.fragment, 0).delete(2, 2);
    const { text, deferred } = remade(log, ana.made, ben.made);
    expect(text).toBe("<paragraph>ab</paragraph>");
    const later = new Y.Doc();
    for (const update of [Y.encodeStateAsUpdate(log.doc), ...ana.made, deletionOf(deferred)])
      Y.applyUpdate(later, update);
    expect(later.getXmlFragment(root).toString()).toBe("<paragraph>abcyz</paragraph>");
  });

  it("[SYNC-30] keeps one client id if an edit that may stay comes between others", () => {
    const log = page(1);
    log.fragment.insert(0, [paragraph("abc")]);
    const state = Y.encodeStateAsUpdate(log.doc);
    const ana = page(2, state);
    textblockOf(ana.fragment, 0).insert(3, "xyz");
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc));
    textblockOf(ben.fragment, 0).insert(4, "1");
    textblockOf(ben.fragment, 0).insert(5, "3");
    const other = page(4, state);
    textblockOf(other.fragment, 0).insert(0, "stays ");
    const [first, last] = ben.made.map((update, at) => pendingEdit(`ben ${at}`, update, at));
    const [stays] = other.made.map((update) => pendingEdit("stays", update, 0));
    if (!first || !last || !stays) throw new Error("an edit is missing");
    const made = new ClientRebase(99, [root]);
    made.grow(state);
    made.layOut(ana.made.map(inspectUpdate));
    made.take([first, stays], (edit) => edit !== stays);
    expect(made.doc.clientID).toBe(99);
    made.take([last], () => true);
    expect(made.doc.getXmlFragment(root).toString()).toBe("<paragraph>stays abc13</paragraph>");
    expect(
      made.remade.flatMap(({ inspected }) => inspected.structs).map(({ client }) => client),
    ).toEqual([99, 99]);
  });

  it("does not take its own edits for logged ones if another person used the same client id", () => {
    const log = page(7);
    log.fragment.insert(0, [paragraph("theirs")]);
    const own = page(7);
    own.fragment.insert(0, [paragraph("mine")]);
    expect(remade(log, [], own.made).text).toContain("<paragraph>mine</paragraph>");
  });

  it.each([
    ["under the same client id, beyond the end of theirs", "t", 7, false],
    ["under another client id, which Yjs took when it met theirs", "theirs, and more", 8, false],
    ["between one’s own letters and what their update was taken for", "theirs", 8, true],
  ])(
    "[SYNC-30] keeps text typed after own letters in its place if another person logged under " +
      "the same client id: %s",
    (_name, words, clientId, isHeard) => {
      const log = page(7);
      log.fragment.insert(0, [paragraph(words)]);
      const own = page(7);
      own.fragment.insert(0, [paragraph("mine")]);
      if (isHeard) Y.applyUpdate(own.doc, Y.encodeStateAsUpdate(log.doc), "others");
      own.doc.clientID = clientId;
      const line = textblockOf(own.fragment, 0);
      const begun = Y.getState(own.doc.store, clientId);
      line.insert(4, " goes on");
      line.delete(0, 1);
      const made = new ClientRebase(99, [root]);
      made.grow(Y.encodeStateAsUpdate(log.doc));
      made.take(editsOf(own.made), () => false);
      const lines = made.doc.getXmlFragment(root).toArray().map(String).sort();
      expect(made.orphaned).toEqual([]);
      expect(made.deferred).toEqual([]);
      expect(lines).toEqual([`<paragraph>ine goes on</paragraph>`, String(log.fragment.get(0))]);
      // The caret keeps its place before the next letter.
      expect(made.find({ client: clientId, clock: begun, length: 1 })).toEqual([
        { client: 99, clock: expect.any(Number), length: 1 },
      ]);
    },
  );

  it("[SYNC-30] separates own letters from those of another person in one range of a shared client id", () => {
    const log = page(7);
    log.fragment.insert(0, [paragraph("theirs")]);
    const own = page(7);
    own.fragment.insert(0, [paragraph("mine")]);
    Y.applyUpdate(own.doc, Y.encodeStateAsUpdate(log.doc), "others");
    const line = textblockOf(own.fragment, 0);
    expect(line.toString()).toBe("miners");
    own.doc.clientID = 8;
    // Deletes two own letters, and the first letter of what appears to be the rest of them.
    line.delete(2, 3);
    const made = new ClientRebase(99, [root]);
    made.grow(Y.encodeStateAsUpdate(log.doc));
    made.take(editsOf(own.made), () => false);
    expect(made.doc.getXmlFragment(root).toArray().map(String).sort()).toEqual([
      "<paragraph>mi</paragraph>",
      "<paragraph>theis</paragraph>",
    ]);
    const found = made.find({ client: 7, clock: 3, length: 5 });
    expect(found.map(({ client, length }) => [client, length])).toEqual([
      [99, 3],
      [7, 2],
    ]);
  });

  it("[SYNC-7] finds the place of own text after a lost reply to own text, in any order of arrival", () => {
    const log = page(1);
    log.fragment.insert(0, [paragraph("log")]);
    const ana = page(2, Y.encodeStateAsUpdate(log.doc));
    const ben = page(3, Y.encodeStateAsUpdate(log.doc));
    const hear = (to: typeof ana, from: typeof ana) => {
      for (const update of from.made) Y.applyUpdate(to.doc, update, "others");
    };
    textblockOf(ana.fragment, 0).insert(3, " ana");
    hear(ben, ana);
    textblockOf(ben.fragment, 0).insert(7, " ben");
    hear(ana, ben);
    textblockOf(ana.fragment, 0).insert(11, " again");
    textblockOf(ana.fragment, 0).insert(17, "!");
    hear(ben, ana);
    textblockOf(ben.fragment, 0).insert(18, " done");
    const { made, text } = remade(log, ana.made.toReversed(), ben.made);
    expect(made.orphaned).toEqual([]);
    expect(text).toBe("<paragraph>log ben done</paragraph>");
  });

  it("[SYNC-30] keeps every edit separate, with its time, its typing and its deletions", () => {
    const log = page(1);
    log.fragment.insert(0, [paragraph("")]);
    const ana = page(2, Y.encodeStateAsUpdate(log.doc));
    textblockOf(ana.fragment, 0).insert(0, "unlogged");
    const ben = page(3, Y.encodeStateAsUpdate(ana.doc));
    const textblock = textblockOf(ben.fragment, 0);
    for (const letter of "abc") textblock.insert(textblock.length, letter);
    textblock.delete(9, 1);
    textblock.insert(9, "B");
    const { made, updates } = remade(log, ana.made, ben.made);
    expect(made.remade.map(({ time }) => time)).toEqual([1_000, 1_001, 1_002, 1_003, 1_004]);
    const reader = new Y.Doc();
    const shown = [Y.encodeStateAsUpdate(log.doc), ...updates].map((update) => {
      Y.applyUpdate(reader, update);
      return textblockOf(reader.getXmlFragment(root), 0).toString();
    });
    expect(shown).toEqual(["", "a", "ab", "abc", "ac", "aBc"]);
  });

  it.each([
    ["from left to right", (index: number) => 2 * index],
    ["from right to left", (index: number, count: number) => count - 1 - index],
    ["at places all over", (index: number, count: number) => (index * 7_919) % count],
    ["always in the middle", (index: number, count: number) => (count + index) >> 1],
  ])("[SYNC-30] takes near-linear work for edits spread %s over lost text", (_name, placeOf) => {
    const stepsFor = (count: number) => {
      const log = page(1);
      log.fragment.insert(0, [paragraph("")]);
      const ana = page(2, Y.encodeStateAsUpdate(log.doc));
      textblockOf(ana.fragment, 0).insert(0, "x".repeat(count));
      // One struct for each letter.
      const ben = page(3, Y.encodeStateAsUpdate(ana.doc));
      const textblock = textblockOf(ben.fragment, 0);
      for (let index = 0; index < count; index += 1) textblock.insert(placeOf(index, count), ".");
      const { made, text } = remade(log, ana.made, ben.made, 32);
      expect(text).toBe(`<paragraph>${".".repeat(count)}</paragraph>`);
      return made.steps;
    };
    const [some, more] = [stepsFor(250), stepsFor(1_000)];
    // Four times the edits cost four times the work, plus a logarithmic factor.
    expect(more).toBeLessThan(some * 4 * 1.5 + 100);
  });
});
