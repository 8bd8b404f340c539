import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { comparing, compareRevisions, stillRows } from "@/events/analysis/comparison/comparison";
import type { Row } from "@/events/analysis/comparison/comparison-rows";
import { finished } from "@/events/analysis/comparison/paused-work";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { changedRows, itemNumbers, openedRows } from "./changed-rows";
import { roleOf } from "@/events/analysis/comparison/node-roles";

const start = Date.UTC(2026, 10, 14, 15, 42);

function element(name: string, ...children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const made = new Y.XmlElement(name);
  made.insert(0, children);
  return made;
}

/**
 * Creates a line, a list of `items` numbered items, and a line. Each act on the items' words is one
 * event.
 */
function history(
  items: number,
  ...acts: ((item: (index: number) => Y.XmlText, list: Y.XmlElement) => void)[]
): Timeline {
  const doc = new Y.Doc({ gc: false });
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const words = Array.from({ length: items }, (_, index) => new Y.XmlText(`item ${index + 1}`));
  const list = element(
    "orderedList",
    ...words.map((text) => element("listItem", element("paragraph", text))),
  );
  const paragraph = (text: string) => element("paragraph", new Y.XmlText(text));
  doc
    .getXmlFragment("default")
    .insert(0, [paragraph("Far above."), paragraph("Above."), list, paragraph("Below.")]);
  const item = (index: number) => {
    const text = words[index];
    if (!text) throw new Error(`There is no item ${index}.`);
    return text;
  };
  for (const act of acts) doc.transact(() => act(item, list));
  return openTimeline(
    stream(
      "Minutes",
      updates.map((update, at) => [{ update, time: start + at * 100, actorId: "Ana" }]),
    ),
  );
}

const textOf = ({ runs }: Row) => runs.map(({ text }) => text).join("");

describe("the preview of a comparison", () => {
  const timeline = history(
    5,
    (item) => item(3).insert(0, "new "),
    (item) => item(4).insert(0, "late "),
  );
  const [from, to] = [timeline.length - 3, timeline.length - 1];
  const { authorOf } = timeline;
  const folded = finished(comparing(timeline, { from, to, roleOf, folded: true })).rows;

  it(
    "is the same with unchanged blocks read or not, and reads only those " +
      "beside a change [COMPARE-5]",
    () => {
      const read: number[] = [];
      const rows = openedRows(folded, (block) => {
        read.push(block.index);
        return stillRows(block, { at: to, authorOf, roleOf });
      });
      const shown = changedRows(rows).map((stretch) => stretch.map(textOf));
      expect(shown).toEqual([["item 3", "new item 4", "late item 5", "Below."]]);
      expect(
        changedRows(compareRevisions(timeline, from, to, roleOf).rows).map((stretch) =>
          stretch.map(textOf),
        ),
      ).toEqual(shown);
      expect(read).toHaveLength(1);
    },
  );

  it(
    "numbers items as the whole list does, and does not count " + "deleted items [COMPARE-5]",
    () => {
      const numbersIn = ({ rows }: { rows: readonly Row[] }) =>
        rows.flatMap(({ frame: { path } }) =>
          path.slice(1).map(({ unit }) => itemNumbers(rows).get(unit)),
        );
      expect(numbersIn({ rows: folded })).toEqual([1, 2, 3, 4, 5]);
      const shorter = history(4, (_, list) => list.delete(1, 1));
      expect(
        numbersIn(compareRevisions(shorter, shorter.length - 2, shorter.length - 1, roleOf)),
      ).toEqual([1, 2, 2, 3]);
    },
  );
});
