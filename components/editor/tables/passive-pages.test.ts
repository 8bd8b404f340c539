import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { liftListItem, sinkListItem, splitListItem } from "@tiptap/pm/schema-list";
import { TextSelection } from "@tiptap/pm/state";
import type { Command } from "@tiptap/pm/state";
import { expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { documentSchema as schema } from "@/events/content/schema";
import { readMarkdown } from "@/events/content/markdown-reading";
import { BoundText } from "../bound-text.fixture";
import { fitContent } from "../binding/fitting-content";
import { seeded } from "../random-edits.fixture";
import { cellEditing } from "./cell-editing";
import { addMissingCell, evenCommands } from "./even-tables";
import { widthOf } from "./table-shape";

type Random = () => number;
const pick = <T>(random: Random, all: readonly T[]): T => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
};

const names = ["Ana", "Ben", "Carol"] as const;

/**
 * The page of a person: a shared document, the editor bound to it, and the updates that this page
 * wrote.
 */
class Page {
  readonly doc = new Y.Doc();
  readonly text: BoundText;
  written = 0;

  constructor(clientID: number, begin: Uint8Array) {
    this.doc.clientID = clientID;
    Y.applyUpdate(this.doc, begin, "log");
    this.text = new BoundText(this.doc, [cellEditing()]);
    this.doc.on("update", (_update: Uint8Array, origin: unknown) => {
      if (origin !== "log") this.written += 1;
    });
  }
}

/** Opens three pages of one text, of which the last only shows it. */
function pagesOf(doc: Node): Page[] {
  fitContent(schema);
  const begin = new Y.Doc();
  begin.clientID = 9;
  const writer = new BoundText(begin);
  writer.dispatch(writer.state.tr.replaceWith(0, writer.state.doc.content.size, doc.content));
  return names.map((_name, index) => new Page(index + 1, Y.encodeStateAsUpdate(begin)));
}

function meet(pages: readonly Page[]): void {
  const updates = pages.map(({ doc }) => Y.encodeStateAsUpdate(doc));
  for (const { doc } of pages) for (const update of updates) Y.applyUpdate(doc, update, "log");
}

const tablesIn = (doc: Node): Node[] => {
  const found: Node[] = [];
  doc.descendants((node) => {
    if (node.type.name === "table") found.push(node);
    return true;
  });
  return found;
};

/** Returns the words of the shared text, independent of the editor's content. */
const wordsIn = (doc: Y.Doc): string => {
  let words = "";
  const walk = (parent: Y.XmlFragment) => {
    for (const child of parent.toArray())
      if (child instanceof Y.XmlText)
        words += child
          .toDelta()
          .map(({ insert }: { insert: string }) => insert)
          .join("");
      else if (child instanceof Y.XmlElement) walk(child);
  };
  walk(doc.getXmlFragment("default"));
  return words;
};

const run = (page: Page, command: Command) => command(page.text.state, page.text.dispatch);

const item = schema.nodes.listItem;
const { toggleHeaderRow, ...rowsAndColumns } = evenCommands;
const commands: Command[] = [
  ...Object.values(rowsAndColumns),
  ...Object.values(rowsAndColumns),
  addMissingCell,
  ...(item ? [splitListItem(item), sinkListItem(item), liftListItem(item)] : []),
];

/** The commands that may add one cell to one row or to all rows. */
const adding: ReadonlySet<Command> = new Set([
  evenCommands.addColumnBefore,
  evenCommands.addColumnAfter,
  addMissingCell,
]);

const sample =
  "| a | b | c |\n|---|---|---|\n| d | e | f |\n| g | h | i |\n\n- one\n- two\n  - three\n\nend";

it("[EDIT-66] a passive page writes nothing while others change a table offline", () => {
  const pages = pagesOf(readMarkdown(sample));
  const [ana, ben, carol] = pages;
  if (!ana || !ben || !carol) throw new Error("three pages");
  ana.text.caret(ana.text.find("b"));
  run(ana, evenCommands.deleteColumn);
  ben.text.type("words ", ben.text.find("h"));
  run(ben, evenCommands.addRowAfter);
  for (let round = 0; round < 5; round += 1) meet(pages);
  expect(carol.written).toBe(0);
  const [table] = tablesIn(carol.text.state.doc);
  expect(table?.content.content.map(({ childCount }) => childCount)).toEqual([2, 2, 2, 3]);
  // The next commands on these pages write no repair either.
  ben.text.caret(ben.text.find("g"));
  run(ben, evenCommands.addColumnAfter);
  run(ana, evenCommands.addRowAfter);
  for (let round = 0; round < 5; round += 1) meet(pages);
  expect(carol.written).toBe(0);
  expect(tablesIn(carol.text.state.doc).map(widthOf)).toEqual([4]);
});

it("[EDIT-66] after offline edits by two people, pages agree, columns do not multiply, and a passive page writes nothing", () => {
  for (let seed = 1; seed <= cases(36); seed += 1) {
    const random = seeded(seed);
    const pages = pagesOf(readMarkdown(sample));
    const writers = pages.slice(0, 2);
    const [, , passive] = pages;
    if (!passive) throw new Error("no third page");
    let columns = 3;
    for (let round = 0; round < 4; round += 1) {
      for (const page of writers)
        for (let step = 0; step < 1 + random() * 4; step += 1) {
          const { doc } = page.text.state;
          const at = Math.floor(random() * doc.content.size);
          page.text.dispatch(page.text.state.tr.setSelection(TextSelection.near(doc.resolve(at))));
          const before = wordsIn(page.doc);
          if (random() < 0.4) {
            page.text.type(pick(random, ["k", "lm", "n o"]));
            expect(wordsIn(page.doc).length).toBeGreaterThan(before.length);
            continue;
          }
          // A cell that two people make a header concurrently is duplicated, like a paragraph.
          const mayToggle = page === writers[0] && random() < 0.1;
          const command = mayToggle ? toggleHeaderRow : pick(random, commands);
          const did = run(page, command);
          if (did && adding.has(command)) columns += 1;
          const takes = command === evenCommands.deleteRow || command === evenCommands.deleteColumn;
          if (!takes) expect(wordsIn(page.doc).length).toBe(before.length);
        }
      for (let pass = 0; pass < 3; pass += 1) meet(pages);
      expect(passive.written).toBe(0);
      for (const { text, doc } of pages) {
        expect(text.state.doc.toString()).toBe(passive.text.state.doc.toString());
        expect(text.state.doc.textContent).toBe(wordsIn(doc));
      }
      for (const table of tablesIn(passive.text.state.doc))
        expect(widthOf(table)).toBeLessThanOrEqual(columns);
    }
  }
});

it("[EDIT-66] an uneven pasted table is repaired by its own page", () => {
  const [page] = pagesOf(readMarkdown("end"));
  if (!page) throw new Error("no page");
  const { table, tableRow, tableCell } = schema.nodes;
  const cell = () => tableCell?.createAndFill() ?? [];
  const uneven = table?.create(
    null,
    [
      tableRow?.create(null, [cell(), cell()].flat()) ?? [],
      tableRow?.create(null, [cell()].flat()) ?? [],
    ].flat(),
  );
  const slice = new Slice(Fragment.from(uneven), 0, 0);
  page.text.dispatch(page.text.state.tr.replaceSelection(slice).setMeta("paste", true));
  const [pasted] = tablesIn(page.text.state.doc);
  expect(pasted?.content.content.map(({ childCount }) => childCount)).toEqual([2, 2]);
});
