import { Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { DecorationSet } from "@tiptap/pm/view";

/** A stretch of an editor's document: whole blocks of its top level. */
export type Stretch = { from: number; to: number };

/**
 * The colours, and of which blocks they are: a long text has too many letters to colour all of them
 * at each that is typed.
 */
export type Tints = { blocks: Stretch; decorations: DecorationSet };

const key = new PluginKey<Tints>("tints");

/** A text without colours. */
export const noTints: Tints = { blocks: { from: 0, to: 0 }, decorations: DecorationSet.empty };

/** The colours of a text as they are shown. */
export const tintsIn = (state: EditorState): Tints => key.getState(state) ?? noTints;

/** Has a transaction put these colours in the place of those before. */
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
 * Shows the colours of a text's authors where somebody asks for them. It is there from the
 * beginning: a plugin that comes later has the views of all of them made anew, and with them all
 * nodes of the text.
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
