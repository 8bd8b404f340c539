import { Extension } from "@tiptap/core";
import type { Attrs, Node } from "@tiptap/pm/model";
import { Plugin, Selection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { loneSurrogates } from "@/events/core/text/storable-text";

const whole = (text: string): string => text.replace(loneSurrogates, "\ufffd");

/** Replaces lone surrogates in attributes. Returns null if no attribute has any. */
function wholeAttributes(attributes: Attrs): Attrs | null {
  let changed: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== "string" || whole(value) === value) continue;
    changed ??= { ...attributes };
    changed[name] = whole(value);
  }
  return changed;
}

/**
 * Returns the range that transactions have changed, as positions after the last one. The range
 * includes the adjacent letters, because a deletion may leave half of one.
 */
function changedRange(transactions: readonly Transaction[], { content: { size } }: Node) {
  let [from, to] = [Infinity, -Infinity];
  for (const { mapping } of transactions) {
    for (const map of mapping.maps) {
      if (from <= to) [from, to] = [map.map(from, -1), map.map(to)];
      map.forEach((_from, _to, start, end) => {
        [from, to] = [Math.min(from, start), Math.max(to, end)];
      });
    }
  }
  return { from: Math.max(0, from - 1), to: Math.min(size, to + 1) };
}

/** Returns the offsets of the first lone surrogate in a range of a text, and after the last one. */
function halvesIn(text: string, from: number, to: number): { first: number; end: number } | null {
  let first = -1;
  let end = -1;
  for (let at = Math.max(0, from); at < Math.min(text.length, to); at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0xd800 || code > 0xdfff) continue;
    // A code point above U+FFFF, at this offset or the one before, is a pair.
    const isPair =
      (text.codePointAt(at) ?? 0) > 0xffff || (at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff);
    if (isPair) continue;
    if (first < 0) first = at;
    end = at + 1;
  }
  return first < 0 ? null : { first, end };
}

/**
 * Replaces lone surrogates that these transactions inserted, or left beside a deletion, with
 * U+FFFD, as the log stores them. Returns null if there are none. Other pages and later readers
 * would otherwise see a different text.
 */
export function wholeLetters(
  transactions: readonly Transaction[],
  state: EditorState,
): Transaction | null {
  const isOwn = transactions.some(
    (each) => each.docChanged && each.getMeta(ySyncPluginKey) === undefined,
  );
  if (!isOwn) return null;
  const { tr, schema } = state;
  const { from, to } = changedRange(transactions, state.doc);
  if (from > to) return null;
  state.doc.nodesBetween(from, to, (node, at) => {
    const attributes = wholeAttributes(node.attrs);
    if (attributes !== null) tr.setNodeMarkup(at, null, attributes, node.marks);
    for (const mark of node.marks) {
      const changed = wholeAttributes(mark.attrs);
      if (changed === null) continue;
      tr.removeMark(at, at + node.nodeSize, mark);
      tr.addMark(at, at + node.nodeSize, mark.type.create(changed));
    }
    const text = node.text ?? "";
    const halves = halvesIn(text, from - at, to - at);
    if (halves === null) return;
    const { marks } = tr.doc.nodeAt(at) ?? node;
    const letters = whole(text).slice(halves.first, halves.end);
    tr.replaceWith(at + halves.first, at + halves.end, schema.text(letters, marks));
  });
  if (!tr.docChanged) return null;
  // The positions have not changed.
  return tr
    .setSelection(Selection.fromJSON(tr.doc, state.selection.toJSON()))
    .setStoredMarks(state.storedMarks);
}

/** Keeps lone surrogates out of typed, pasted, dropped and replaced text. */
export const WholeLetters = Extension.create({
  name: "wholeLetters",
  addProseMirrorPlugins() {
    return [
      new Plugin({
        appendTransaction: (transactions, _before, state) => wholeLetters(transactions, state),
      }),
    ];
  },
});
