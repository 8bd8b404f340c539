import { Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState } from "@tiptap/pm/state";
import { Mapping } from "@tiptap/pm/transform";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { narrowChange } from "../undo/narrow-change";
import { readSelection } from "./own-selection";

/** A range of the text to which, for example, a comment refers. */
type Passage = { id: string; from: number; to: number; className: string };

export type PassagesOptions = { onPick: (id: string) => void };

const key = new PluginKey<DecorationSet>("passages");

/** Marks these passages in the text, instead of the passages marked before. */
export function markPassages(view: EditorView, passages: readonly Passage[]): void {
  readSelection(view);
  view.dispatch(view.state.tr.setMeta(key, passages).setMeta("addToHistory", false));
}

/** Returns the current ranges of the marked passages, by id. */
export function passagesIn(state: EditorState): Map<string, { from: number; to: number }> {
  const found = new Map<string, { from: number; to: number }>();
  for (const { from, to, spec } of key.getState(state)?.find() ?? [])
    found.set(String(spec.id), { from, to });
  return found;
}

const decorated = ({ id, from, to, className }: Passage) =>
  Decoration.inline(from, to, { class: className, "data-passage": id }, { id, inclusiveEnd: true });

/** Marks passages of the text and reports clicks on them. The marks follow edits. */
export const Passages = Extension.create<PassagesOptions>({
  name: "passages",
  addOptions() {
    return { onPick: () => undefined };
  },
  addProseMirrorPlugins() {
    const { options } = this;
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply: (transaction, shown, before, state) => {
            const passages: readonly Passage[] | undefined = transaction.getMeta(key);
            if (passages) return DecorationSet.create(state.doc, passages.map(decorated));
            if (!transaction.docChanged) return shown;
            if (transaction.getMeta(ySyncPluginKey) === undefined)
              return shown.map(transaction.mapping, transaction.doc);
            const change = narrowChange(before.doc, transaction.doc);
            return shown.map(new Mapping(change ? [change] : []), transaction.doc);
          },
        },
        props: {
          decorations: (state) => key.getState(state),
          handleClick: (view, position) => {
            const hits = key.getState(view.state)?.find(position, position) ?? [];
            // Picks the innermost of nested passages.
            const [nearest] = hits.toSorted((a, b) => a.to - a.from - (b.to - b.from));
            if (nearest) options.onPick(String(nearest.spec.id));
            return false;
          },
        },
      }),
    ];
  },
});
