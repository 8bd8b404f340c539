import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { Selection, Transaction } from "@tiptap/pm/state";
import { Mapping } from "@tiptap/pm/transform";
import type { StepMap } from "@tiptap/pm/transform";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { layoutBreakClass, layoutBreaks, leaf } from "@/events/content/layout-breaks";
import { narrowChange } from "../undo/narrow-change";

const key = new PluginKey<DecorationSet>("longBlocks");

type Range = { from: number; to: number };

function breakElement(): HTMLElement {
  const element = document.createElement("span");
  element.className = layoutBreakClass;
  element.setAttribute("aria-hidden", "true");
  return element;
}

// Outside all marks, because only a direct child of the block divides its layout.
const spec = { marks: [], ignoreSelection: true };
const withinLine = { ...spec, key: "within", side: 1 };
/** Behind the end of a line, where a break is invisible. */
const behindLine = { ...spec, key: "behind", side: -1 };

/** The distance between invisible breaks and the caret, in positions. */
const breakDistance = 200;

/**
 * Removes the breaks near the caret. Browsers differ in how they type, compose and delete beside a
 * non-text node, and some browsers delete whole pieces.
 */
function clearOf(breaks: DecorationSet, { anchor, head }: Selection): DecorationSet {
  const near = [anchor, head].flatMap((caret) =>
    breaks
      .find(caret - breakDistance, caret + breakDistance, ({ key }) => key === behindLine.key)
      .concat(breaks.find(caret, caret)),
  );
  return near.length > 0 ? breaks.remove(near) : breaks;
}

/** Returns the ranges of the new document that these maps changed. */
function touched(maps: readonly StepMap[]): Range[] {
  const ranges: Range[] = [];
  maps.forEach((map, index) => {
    const later = new Mapping(maps.slice(index + 1));
    map.forEach((_from, _to, from, to) =>
      ranges.push({ from: later.map(from, -1), to: later.map(to, 1) }),
    );
  });
  return ranges;
}

function refreshed(shown: DecorationSet, block: Node, pos: number, doc: Node): DecorationSet {
  const begin = pos + 1;
  const found = shown.find(begin, pos + block.nodeSize - 1);
  const standing = found.map(({ from }) => from - begin);
  const textOf = (from: number, to: number) => block.textBetween(from, to, undefined, leaf);
  const due = layoutBreaks(block.content.size, textOf, block.type.spec.code === true, standing);
  const dueSet = new Set(due);
  const had = new Set(standing);
  const gone = found.filter(({ from }) => !dueSet.has(from - begin));
  const specAt = (at: number) => (/[\n\ufffc]/.test(textOf(at - 1, at)) ? behindLine : withinLine);
  const come = due
    .filter((at) => !had.has(at))
    .map((at) => Decoration.widget(begin + at, breakElement, specAt(at)));
  const rest = gone.length > 0 ? shown.remove(gone) : shown;
  return come.length > 0 ? rest.add(doc, come) : rest;
}

function written(shown: DecorationSet, maps: readonly StepMap[], doc: Node): DecorationSet {
  let breaks = shown.map(new Mapping([...maps]), doc);
  const done = new Set<number>();
  for (const { from, to } of touched(maps)) {
    doc.nodesBetween(Math.max(0, from - 1), Math.min(doc.content.size, to + 1), (block, pos) => {
      if (!block.isTextblock) return true;
      if (!done.has(pos)) breaks = refreshed(breaks, block, pos, doc);
      done.add(pos);
      return false;
    });
  }
  return breaks;
}

function mapsOf(transaction: Transaction): readonly StepMap[] {
  if (transaction.getMeta(ySyncPluginKey) === undefined) return transaction.mapping.maps;
  const change = narrowChange(transaction.before, transaction.doc);
  return change ? [change] : [];
}

/**
 * Returns the breaks after a transaction: the earlier ones, mapped, and new ones in pieces that
 * have become too long.
 */
export function breaksAfter(transaction: Transaction, shown: DecorationSet): DecorationSet {
  const breaks = transaction.docChanged
    ? written(shown, mapsOf(transaction), transaction.doc)
    : shown;
  return transaction.docChanged || transaction.selectionSet
    ? clearOf(breaks, transaction.selection)
    : breaks;
}

/**
 * Splits the layout of a very long text block into pieces. Otherwise the browser lays out the whole
 * block for every letter written in it. The document keeps one block, and only the DOM has a break
 * every few thousand letters.
 */
export const LongBlocks = Extension.create({
  name: "longBlocks",
  addProseMirrorPlugins() {
    return [
      new Plugin<DecorationSet>({
        key,
        state: { init: () => DecorationSet.empty, apply: breaksAfter },
        props: { decorations: (state) => key.getState(state) },
      }),
    ];
  },
});
