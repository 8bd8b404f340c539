import fc from "fast-check";
import { expect, it } from "vitest";
import * as Y from "yjs";
import { anyTimeline, timelineOfEdits } from "@/events/analysis/analysis.fixture";
import { rewritingOf } from "@/events/analysis/rewriting";
import { scriptOf, textAt } from "@/events/history/timeline/script";
import { timelineOf } from "@/events/history/timeline/timeline-builder";
import { searchEntries } from "./search-entries";
import { statesOf } from "./stretch-states";
import { stretchesOf } from "./stretches";

const [ana, ben] = [3_141_592_653, 7];
type Change = { client: number; at: number; erase?: number; text?: string };

/** Returns the entries of a paragraph with these changes, 160 milliseconds apart. */
function entriesOf(...changes: Change[]) {
  const doc = new Y.Doc({ gc: false });
  const [paragraph, text] = [new Y.XmlElement("paragraph"), new Y.XmlText()];
  const edits = changes.map(({ client, at, erase = 0, text: words = "" }, index) => {
    doc.clientID = client;
    let update: Uint8Array = new Uint8Array();
    doc.once("update", (made: Uint8Array) => (update = made));
    doc.transact(() => {
      if (index === 0) {
        doc.getXmlFragment("default").insert(0, [paragraph]);
        paragraph.insert(0, [text]);
      }
      text.delete(at, erase);
      text.insert(at, words);
    });
    return { client, update };
  });
  return searchEntries(timelineOfEdits(edits)).filter(({ kind }) => kind === "text");
}

it("[SEARCH-7] every entry holds the exact text of its stretch from its first to its last revision", () => {
  fc.assert(
    fc.property(anyTimeline, fc.array(fc.nat(60), { maxLength: 3 }), (timeline, named) => {
      const revisions = named.filter((at) => at < timeline.length);
      for (const textblock of scriptOf(timeline).textblocks) {
        const lives = rewritingOf(timeline).livesOf(textblock);
        for (const [from, to] of stretchesOf(textblock)) {
          const states = statesOf(timeline, { textblock, lives, from, to }, revisions);
          for (const state of states)
            for (let at = state.from; at < (state.until ?? timeline.length); at += 1)
              expect(textAt(textblock, at, from, to)).toBe(state.text);
          // The text of a named version is included if it has letters.
          for (const at of revisions) {
            const text = textAt(textblock, at, from, to);
            if (/[\p{L}\p{N}]/u.test(text))
              expect(states.some((state) => state.from <= at && (state.until ?? at + 1) > at)).toBe(
                true,
              );
          }
        }
      }
    }),
  );
});

it("[SEARCH-7] standing entries cover the whole text, and depend on the history alone", () => {
  fc.assert(
    fc.property(anyTimeline, (timeline) => {
      const entries = searchEntries(timeline);
      const standing = entries.filter((entry) => entry.kind === "text" && entry.class === "n");
      const whole = scriptOf(timeline)
        .textblocks.map((textblock) => textAt(textblock, timeline.length))
        .join("");
      const letters = (text: string) => text.replace(/[^\p{L}\p{N}\p{So}]/gu, "");
      expect(letters(standing.map(({ text }) => text).join(""))).toBe(letters(whole));
      expect(searchEntries(timelineOf(timeline.data))).toEqual(entries);
      const keys = entries.map(({ place, nth }) => `${place} ${nth}`);
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});

it("[SEARCH-3] an entry of deleted text names its writer, its remover and its last version", () => {
  const entries = entriesOf(
    { client: ana, at: 0, text: "Keep this. The heron nests here." },
    { client: ben, at: 11, erase: 21 },
  );
  expect(entries).toMatchObject([
    { class: "g", text: "Keep this. The heron nests here.", authorId: "Ana", endedBy: "Ben" },
    { class: "n", text: "Keep this. ", authorId: "Ana", authors: ["Ana"], endedBy: null },
  ]);
  expect(entries[0]?.stoodVersion).toBe((entries[0]?.toVersion ?? 0) - 1);
});

it("[SEARCH-7] a typing slip leaves no entry, and a replaced word does", () => {
  const texts = (...changes: Omit<Change, "client">[]) =>
    entriesOf(...changes.map((change) => ({ client: ana, ...change }))).map(({ text }) => text);
  expect(texts({ at: 0, text: "The hern" }, { at: 7, erase: 1 }, { at: 7, text: "on" })).toEqual([
    "The heron",
  ]);
  expect(texts({ at: 0, text: "The heron" }, { at: 4, erase: 5 }, { at: 4, text: "jay" })).toEqual([
    "The heron",
    "The jay",
  ]);
});

it("[SEARCH-7] a long textblock is split into stretches that end between words", () => {
  const words = Array.from({ length: 600 }, (_, index) => `word${index}`).join(" ");
  const texts = entriesOf({ client: ana, at: 0, text: words }).map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.join("")).toBe(words);
  for (const text of texts.slice(0, -1)) expect(text).toMatch(/\d $/);
});
