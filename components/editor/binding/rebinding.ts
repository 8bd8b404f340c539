import type { Editor } from "@tiptap/core";
import { Slice } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import {
  absolutePositionToRelativePosition,
  initProseMirrorDoc,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
} from "@tiptap/y-tiptap";
import type { ProsemirrorBinding } from "@tiptap/y-tiptap";
import type { PageView, Replacement } from "@/machines/sync/device/page-view";
import { mappedPosition } from "./mapped-position";
import { compositionsOf } from "../composing/compositions";
import { narrowChange } from "../undo/narrow-change";
import { readSelection } from "../carets/own-selection";
import { KeptNodes } from "./shared-text";

/** Keeps unreadable content out of the editor. */
type Guard = { mayShow(to: Replacement): boolean; shown(to: Replacement): void };

/**
 * An editor as the live document sees it. A replacement of its Y.Doc does not recreate the editor.
 * Only the differences are applied to the text, and focus, selection, stored marks and undo steps
 * (own-undo.ts) are kept.
 */
export function pageViewOf(editor: Editor, guard: Guard): PageView {
  const composition = compositionsOf(editor);
  return {
    composition,
    settle() {
      const { view } = editor;
      if (view.isDestroyed) return null;
      const composed = composition();
      if (composed) return composed.ended;
      readSelection(view);
      return null;
    },
    rebind(to) {
      if (editor.isDestroyed || !guard.mayShow(to)) return;
      rebind(editor, to);
      guard.shown(to);
    },
  };
}

function rebind({ view }: Editor, to: Replacement): void {
  const { state } = view;
  const sync: {
    doc: Replacement["doc"];
    type: Replacement["fragment"];
    binding: ProsemirrorBinding;
  } = ySyncPluginKey.getState(state);
  const { binding } = sync;
  const ends = [state.selection.anchor, state.selection.head].map((position) =>
    mappedPosition(
      absolutePositionToRelativePosition(position, sync.type, binding.mapping),
      sync.doc,
      to,
    ),
  );
  const { doc, mapping } = initProseMirrorDoc(to.fragment, state.schema);
  binding.destroy();
  Object.assign(binding, {
    type: to.fragment,
    doc: to.doc,
    mapping: new KeptNodes(mapping),
    beforeTransactionSelection: null,
  });
  binding.initView(view);

  const { tr } = state;
  narrowChange(state.doc, doc)?.forEach((from, end, newFrom, newEnd) => {
    const narrow = tr.maybeStep(new ReplaceStep(from, end, doc.slice(newFrom, newEnd)));
    // A difference may begin and end at different depths, where a narrow replacement fails.
    if (narrow.failed !== null)
      tr.step(new ReplaceStep(0, state.doc.content.size, new Slice(doc.content, 0, 0)));
  });
  const [anchor, head] = ends.map(
    (end) => end && relativePositionToAbsolutePosition(to.doc, to.fragment, end, mapping),
  );
  if (tr.docChanged)
    select(tr, anchor ?? null, head ?? null, state.selection instanceof TextSelection);
  tr.setStoredMarks(state.storedMarks);
  tr.setMeta("addToHistory", false).setMeta(ySyncPluginKey, {
    isChangeOrigin: true,
    doc: to.doc,
    type: to.fragment,
    binding,
  });
  // The new document already holds this text, so the binding must not write it.
  binding.mux(() => view.dispatch(tr));
}

function select(
  tr: Transaction,
  anchor: number | null,
  head: number | null,
  isText: boolean,
): void {
  if (!isText || anchor === null || head === null || Math.max(anchor, head) > tr.doc.content.size)
    return;
  tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head)));
}
