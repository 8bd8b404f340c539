import type { Node } from "@tiptap/pm/model";
import { NodeSelection, Plugin, TextSelection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { CellSelection, tableEditing } from "@tiptap/pm/tables";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { mending } from "./even-tables";
import { isUneven, tablePlace } from "./table-shape";

/** Whether a change was made by this editor. */
const isOwn = (transaction: Transaction) =>
  transaction.docChanged && transaction.getMeta(ySyncPluginKey) === undefined;

function holdsUneven(doc: Node): boolean {
  let found = false;
  doc.descendants((node) => {
    found ||= node.type.name === "table" && isUneven(node);
    return !found && !node.isTextblock;
  });
  return found;
}

function standsInUneven(state: EditorState): boolean {
  const place = tablePlace(state);
  return place !== null && isUneven(place.table);
}

const selectsUneven = ({ selection }: EditorState) =>
  selection instanceof NodeSelection &&
  selection.node.type.name === "table" &&
  isUneven(selection.node);

/** Repairs the table around the caret, as part of a paste into its cells. */
const mendForPaste = mending((state, dispatch) => {
  dispatch?.(state.tr);
  return true;
});

/**
 * Cell editing of prosemirror-tables without its automatic repair of changed tables, which would
 * make a page write to a text that it only shows. The local change that makes a table uneven, such
 * as a paste, repairs the table, unless the text already has uneven tables. An uneven table has no
 * cell selection, because cell selection requires even rows.
 */
export function cellEditing(): Plugin {
  const plugin = tableEditing();
  const { spec, props } = plugin;
  return new Plugin({
    ...spec,
    props: {
      ...props,
      handleKeyDown: (view, event) =>
        !standsInUneven(view.state) && props.handleKeyDown?.call(plugin, view, event),
      handlePaste: (view, event, slice) => {
        const bringsCells = slice.content.firstChild?.type.spec.tableRole !== undefined;
        if (bringsCells && standsInUneven(view.state)) mendForPaste(view.state, view.dispatch);
        return props.handlePaste?.call(plugin, view, event, slice);
      },
    },
    appendTransaction: (transactions, before, state) => {
      if (selectsUneven(state)) return null;
      const { selection } = state;
      if (selection instanceof CellSelection && standsInUneven(state)) {
        const inside = state.doc.resolve(selection.$headCell.pos + 1);
        return state.tr.setSelection(TextSelection.near(inside));
      }
      const append = (from: EditorState) =>
        spec.appendTransaction?.call(plugin, transactions, from, state);
      if (transactions.some(isOwn)) {
        const mended = append(before);
        if (mended?.docChanged !== true || !holdsUneven(before.doc)) return mended;
      }
      // The same state before and after means that no table changed. Only the selection is checked.
      return append(state);
    },
  });
}
