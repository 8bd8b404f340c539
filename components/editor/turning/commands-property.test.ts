import type { Node } from "@tiptap/pm/model";
import { CellSelection, TableMap } from "@tiptap/pm/tables";
import { AllSelection, NodeSelection, TextSelection } from "@tiptap/pm/state";
import type { Selection } from "@tiptap/pm/state";
import { beforeAll, expect, it, vi } from "vitest";
import { cases } from "@/events/core/cases.fixture";
import { seeded } from "../random-edits.fixture";
import { tableCommands } from "../tables/table-editing";
import { turned } from "./block-turning";
import type { BlockKindId } from "./block-turning";
import { HeadlessEditor } from "./headless-editor.fixture";
import { RandomDocuments } from "./random-document.fixture";
import { isItem, spansOf, textBlocksIn } from "./touched-blocks";

beforeAll(() => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("navigator", { platform: "Linux", userAgent: "" });
});

type Random = () => number;
const pick = <T>(random: Random, all: readonly T[]): T => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
};

/** Returns every letter and every leaf of a text, in order, without spaces. */
function lettersOf(doc: Node, from = 0, to = doc.content.size): string {
  let letters = "";
  doc.nodesBetween(from, to, (node, at) => {
    if (node.isText) letters += node.text?.slice(Math.max(0, from - at), to - at) ?? "";
    else if (node.isLeaf && node.type.name !== "hardBreak" && at >= from) letters += "◆";
  });
  return letters.replaceAll(/\s/g, "");
}

const kinds: BlockKindId[] = [
  "text",
  "heading-1",
  "heading-2",
  "heading-3",
  "bullets",
  "numbers",
  "tasks",
  "quote",
  "code",
];

/** A caret or a range between text blocks; now and then cells, a block or the whole text. */
function somewhere(random: Random, doc: Node): Selection {
  const chance = random();
  if (chance < 0.02) return new AllSelection(doc);
  const at = () => Math.floor(random() * (doc.content.size + 1));
  const [one, other] = [at(), random() < 0.5 ? null : at()];
  if (chance < 0.06) {
    const near = doc.resolve(one).nodeAfter;
    if (near && !near.isText && NodeSelection.isSelectable(near))
      return NodeSelection.create(doc, one);
  }
  return TextSelection.between(doc.resolve(one), doc.resolve(other ?? one));
}

/** Returns row and column of the cell around the selection and their totals, or null elsewhere. */
function placeIn(selection: Selection) {
  const { $from, $to } = selection;
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth -= 1)
    if (
      $from.node(depth).type.spec.tableRole === "cell" ||
      $from.node(depth).type.spec.tableRole === "header_cell"
    ) {
      const map = TableMap.get($from.node(depth - 2));
      return { row: $from.index(depth - 2), column: $from.index(depth - 1), map };
    }
  return null;
}

/** Whether either end of a selection is in a table. */
function isInTable({ $anchor, $head }: Selection): boolean {
  return [$anchor, $head].some(($end) =>
    Array.from({ length: $end.depth + 1 }, (_, depth) => $end.node(depth).type.name).includes(
      "table",
    ),
  );
}

/** Returns the path of the block at a position: the types around it, outermost first. */
function pathAt(doc: Node, block: number): string[] {
  const $block = doc.resolve(block + 1);
  return Array.from({ length: $block.depth + 1 }, (_, depth) => $block.node(depth).type.name);
}

const listLevel = (path: readonly string[]) => path.filter((name) => name.endsWith("Item")).length;

function allBlocks(doc: Node): number[] {
  const found: number[] = [];
  doc.descendants((node, at) => {
    if (node.isTextblock) found.push(at);
    return !node.isTextblock;
  });
  return found;
}

/** Whether one of these blocks begins an item that contains the block. */
function isInTurnedItem(doc: Node, block: number, blocks: ReadonlySet<number>): boolean {
  const $block = doc.resolve(block + 1);
  for (let depth = $block.depth; depth > 0; depth -= 1)
    if (isItem($block.node(depth)) && blocks.has($block.start(depth))) return true;
  return false;
}

/** Returns the letters of the block at each end of the selection, and the offset in the block. */
function placeOf({ $anchor, $head }: Selection) {
  return [$anchor, $head].map(($end) => [
    lettersOf($end.parent),
    lettersOf($end.parent, 0, $end.parentOffset),
  ]);
}

const listOf: Partial<Record<BlockKindId, string>> = {
  bullets: "bulletList",
  numbers: "orderedList",
  tasks: "taskList",
};

function checkTurned(text: HeadlessEditor, kind: BlockKindId, options: object): void {
  const before = text.state;
  const touched = spansOf(before.selection).flatMap((span) => textBlocksIn(before.doc, span));
  const set = new Set(touched);
  const transaction = turned(before, kind, options);
  if (transaction === null) return;
  text.dispatch(transaction);
  const { doc, selection } = text.state;
  doc.check();
  const isCode = kind === "code";
  const plain = (letters: string) =>
    isCode ? letters.replaceAll(/◆|\/d\/[\da-f-]{36}/g, "") : letters;
  expect(plain(lettersOf(doc))).toBe(plain(lettersOf(before.doc)));
  if (before.selection instanceof TextSelection && !isCode)
    expect(placeOf(selection)).toEqual(placeOf(before.selection));
  const [were, are] = [allBlocks(before.doc), allBlocks(doc)];
  expect(are.length).toBe(were.length);
  const isWhole = Object.keys(options).length === 0;
  were.forEach((was, index) => {
    const is = are[index] ?? 0;
    const [old, now] = [pathAt(before.doc, was), pathAt(doc, is)];
    if (!isWhole) return;
    if (set.has(was)) {
      const list = listOf[kind];
      // An item stays on its level, and another block moves one level deeper.
      if (list !== undefined) {
        expect(now.at(-1) === "paragraph" || isInTurnedItem(before.doc, was, set)).toBe(true);
        if (before.doc.resolve(was).parent.type.name.endsWith("Item") && set.has(was))
          expect(listLevel(now)).toBeGreaterThanOrEqual(listLevel(old));
      }
      if (kind === "text") expect(now.at(-1)).toBe("paragraph");
      if (kind.startsWith("heading")) expect(now.at(-1)).toBe("heading");
      if (isCode) expect(now.at(-1)).toBe("codeBlock");
      if (kind === "quote") expect(now).toContain("blockquote");
    } else if (kind !== "quote" && !isInTurnedItem(before.doc, was, set)) expect(now).toEqual(old);
  });
}

/**
 * The rest of a text must be the earlier text without the selection and without at most `more`
 * other letters.
 */
function checkDeleted(before: string, selected: string, after: string, more: number): void {
  const missing = before.length - after.length;
  expect(missing).toBeLessThanOrEqual(selected.length + more);
  let at = 0;
  for (const letter of before) if (after[at] === letter) at += 1;
  expect(at).toBe(after.length);
}

function checkKey(text: HeadlessEditor, key: string, shift: boolean): void {
  const before = text.state;
  const { from, to, empty } = before.selection;
  const letters = lettersOf(before.doc);
  const selected =
    before.selection instanceof CellSelection ? letters : lettersOf(before.doc, from, to);
  const levels = allBlocks(before.doc).map((at) => pathAt(before.doc, at));
  const left = text.left;
  const isHandled = text.press({ key, shift });
  if (key === "Tab") expect(isHandled).toBe(true);
  if (text.left > left) expect([key, shift]).toEqual(["Tab", true]);
  const { doc, selection } = text.state;
  doc.check();
  if (key === "Tab") {
    expect(lettersOf(doc)).toBe(letters);
    const now = allBlocks(doc).map((at) => pathAt(doc, at));
    // In the last cell, a row is added below.
    if (now.length === levels.length)
      now.forEach((path, index) =>
        expect(Math.abs(listLevel(path) - listLevel(levels[index] ?? []))).toBeLessThanOrEqual(1),
      );
    if (!isInTable(before.selection)) expect(isInTable(selection)).toBe(false);
    return;
  }
  checkDeleted(letters, empty ? "" : selected, lettersOf(doc), key === "Enter" ? 0 : 1);
  const place = placeIn(before.selection);
  const is = placeIn(selection);
  if (place !== null && is !== null && empty) {
    expect([is.row, is.column]).toEqual([place.row, place.column]);
    expect([is.map.width, is.map.height]).toEqual([place.map.width, place.map.height]);
  }
}

function checkTable(text: HeadlessEditor, name: keyof typeof tableCommands): void {
  const before = text.state;
  if (!(before.selection instanceof TextSelection)) return;
  const place = placeIn(before.selection);
  // Selections that cross their cell are left to the table's own editing.
  if (place === null) return;
  const letters = lettersOf(before.doc);
  tableCommands[name](text.state, text.dispatch);
  const { doc, selection } = text.state;
  doc.check();
  const is = placeIn(selection);
  if (name === "deleteTable") return;
  if (!name.startsWith("delete")) {
    expect(lettersOf(doc)).toBe(letters);
    expect(is?.row).toBe(place.row + (name === "addRowBefore" ? 1 : 0));
    expect(is?.column).toBe(place.column + (name === "addColumnBefore" ? 1 : 0));
    return;
  }
  const { width, height } = is?.map ?? { width: 0, height: 0 };
  expect(is?.row).toBe(Math.min(place.row, height - 1));
  expect(is?.column).toBe(Math.min(place.column, width - 1));
  const gone = (name === "deleteRow" ? place.map.height : place.map.width) > 1;
  expect(place.map.height - height).toBe(name === "deleteRow" && gone ? 1 : 0);
  expect(place.map.width - width).toBe(name === "deleteColumn" && gone ? 1 : 0);
}

const names = Object.keys(tableCommands) as (keyof typeof tableCommands)[];

/** Performs one random action and checks its invariants. */
function act(random: Random, text: HeadlessEditor): string {
  text.dispatch(text.state.tr.setSelection(somewhere(random, text.state.doc)));
  const chance = random();
  const { from, to } = text.state.selection;
  const was = `${text.state.doc.toString()} ${from}-${to}`;
  const [kind, table, key] = [
    pick(random, kinds),
    pick(random, names),
    pick(random, ["Tab", "Tab", "Enter", "Backspace", "Delete"]),
  ];
  const [shift, toggles] = [key === "Tab" && random() < 0.5, random() < 0.3];
  const said = chance < 0.4 ? `${kind} ${toggles}` : chance < 0.6 ? table : `${key} ${shift}`;
  try {
    if (chance < 0.4) checkTurned(text, kind, toggles ? { toggles: true, wholeLists: true } : {});
    else if (chance < 0.6) checkTable(text, table);
    else checkKey(text, key, shift);
  } catch (error) {
    throw new Error(`${said} in ${was}\n→ ${text.state.doc.toString()}`, { cause: error });
  }
  return said;
}

it("[EDIT-37] no command loses a word, leaves the text, or changes unrelated nesting or places", () => {
  for (let seed = 1; seed <= cases(300); seed += 1) {
    const random = seeded(seed);
    const text = new HeadlessEditor(new RandomDocuments(random).next());
    for (let step = 0; step < 8; step += 1) act(random, text);
  }
});
