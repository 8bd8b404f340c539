import { Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { DecorationSet } from "@tiptap/pm/view";

/** A range of whole top-level blocks of an editor's document. */
export type Stretch = { from: number; to: number };

/**
 * The colours, and the blocks that they cover. A long text has too many letters to colour all of
 * them on every keystroke.
 */
export type Tints = { blocks: Stretch; decorations: DecorationSet };

const key = new PluginKey<Tints>("tints");

/** A text without colours. */
export const noTints: Tints = { blocks: { from: 0, to: 0 }, decorations: DecorationSet.empty };

/** Returns the colours that a text shows. */
export const tintsIn = (state: EditorState): Tints => key.getState(state) ?? noTints;

/** Makes a transaction replace the colours. */
export const withTints = (transaction: Transaction, tints: Tints): Transaction =>
  transaction.setMeta(key, tints);

function tintsAfter(transaction: Transaction, shown: Tints): Tints {
  const set: Tints | undefined = transaction.getMeta(key);
  if (set) return set;
  if (!transaction.docChanged || shown === noTints) return shown;
  const { mapping, doc } = transaction;
  const { from, to } = shown.blocks;
  return {
    blocks: { from: mapping.map(from, -1), to: mapping.map(to, 1) },
    decorations: shown.decorations.map(mapping, doc),
  };
}

/**
 * Colours the text by author on request. The plugin is registered from the start, because a later
 * registration recreates all plugin views and all nodes of the text.
 */
export const TextTints = Extension.create({
  name: "tints",
  addProseMirrorPlugins: () => [
    new Plugin<Tints>({
      key,
      state: { init: () => noTints, apply: tintsAfter },
      props: { decorations: (state) => tintsIn(state).decorations },
    }),
  ],
});
