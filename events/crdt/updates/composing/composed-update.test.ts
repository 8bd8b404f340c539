import fc from "fast-check";
import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { searchThroughTime } from "@/events/analysis/deleted-text-search";
import { timelineOfEdits } from "@/events/analysis/analysis.fixture";
import { statisticsOf } from "@/events/analysis/statistics";
import { insertedText } from "../inserted-text";
import { composedUpdate } from "./composed-update";

const [ana, ben] = [7, 3_141_592_653];

/** Creates a document with a client id that collects its updates. */
function writer(client: number, state?: Uint8Array) {
  const doc = new Y.Doc();
  doc.clientID = client;
  if (state) Y.applyUpdate(doc, state);
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array, origin: unknown) => {
    if (origin !== "remote") updates.push(update);
  });
  const take = () => updates.splice(0);
  return { doc, take };
}

/** Creates a paragraph with a line of text. */
function line(words: string) {
  const at = writer(ben);
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText(words)]);
  at.doc.getXmlFragment("default").insert(0, [paragraph]);
  return at;
}

function textOf(doc: Y.Doc): Y.XmlText {
  const paragraph = doc.getXmlFragment("default").get(0);
  const text = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error("There is no text.");
  return text;
}

/** Replaces the composed letters by new ones. */
function compose(doc: Y.Doc, at: number, before: string, now: string) {
  doc.transact(() => {
    textOf(doc).delete(at, before.length);
    if (now !== "") textOf(doc).insert(at, now);
  });
}

/** Composes text after a line. Returns the updates and Ana's single update. */
function composed(steps: readonly string[], begun: Uint8Array) {
  const at = writer(ana, begun);
  const place = textOf(at.doc).length;
  for (const [index, step] of steps.entries()) compose(at.doc, place, steps[index - 1] ?? "", step);
  const updates = at.take();
  return { updates, whole: composedUpdate(updates) ?? new Uint8Array(), doc: at.doc };
}

describe("one update of a composition", () => {
  it("[WRITE-41] keeps replaced letters out of the log", () => {
    const begun = line("Start ");
    const [first] = begun.take();
    const state = Y.encodeStateAsUpdate(begun.doc);
    const { whole } = composed(["z", "zh", "zhong", "zhongguo", "中国"], state);
    expect(insertedText(whole)).toBe("中国");
    const timeline = timelineOfEdits([
      { client: ben, update: first ?? state },
      { client: ana, update: whole },
    ]);
    const found = (words: string) => searchThroughTime(timeline, words).length;
    expect([found("zhong"), found("z"), found("中国")]).toEqual([0, 0, 1]);
    const { authors } = statisticsOf(timeline, timeline.length - 1);
    expect(authors.map(({ removed }) => removed)).toEqual(authors.map(() => 0));
  });

  it("[WRITE-41] reads the same as its steps, on pages with and without them", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "b", "é", "日", "\u{1f600}"),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 8 }), fc.nat(7), (steps, seen) => {
        const begun = line("Start ");
        const state = Y.encodeStateAsUpdate(begun.doc);
        const { updates, whole, doc } = composed(steps, state);
        // Ben has received some of the steps and has written between their letters.
        const between = writer(ben + 1, state);
        for (const update of updates.slice(0, seen)) Y.applyUpdate(between.doc, update, "remote");
        const { length } = textOf(between.doc);
        textOf(between.doc).insert(Math.floor((length + 6) / 2), "BEN");
        const his = between.take();
        for (const update of [whole, ...updates]) Y.applyUpdate(between.doc, update, "remote");
        const fresh = new Y.Doc();
        for (const update of [state, whole, ...his]) Y.applyUpdate(fresh, update);
        expect(fresh.store.pendingStructs).toBeNull();
        for (const update of his) Y.applyUpdate(doc, update, "remote");
        const read = [between.doc, fresh, doc].map((each) => textOf(each).toString());
        expect(new Set(read).size).toBe(1);
        const last = steps.at(-1) ?? "";
        expect([...insertedText(whole)].sort().join("")).toBe([...last].sort().join(""));
      }),
      { numRuns: 300 },
    );
  });

  it("[WRITE-41] deletes letters that were there before the composition", () => {
    const begun = line("teh");
    const at = writer(ana, Y.encodeStateAsUpdate(begun.doc));
    compose(at.doc, 0, "teh", "th");
    compose(at.doc, 0, "th", "the");
    Y.applyUpdate(begun.doc, composedUpdate(at.take()) ?? new Uint8Array());
    expect(textOf(begun.doc).toString()).toBe("the");
  });

  it("[WRITE-41] is null for updates that do not follow each other", () => {
    const { updates } = composed(["a", "ab", "b"], Y.encodeStateAsUpdate(line("Start ").doc));
    expect(composedUpdate(updates.filter((_, index) => index !== 1))).toBeNull();
  });
});
