import type { EditorState } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import type { Doc } from "yjs";

/**
 * Creates a plugin view that subscribes to an editor's shared document, and again to each document
 * that replaces it. `listen` returns the unsubscribe function.
 */
export function docListener(view: { state: EditorState }, listen: (doc: Doc) => () => void) {
  const docOf = (): Doc | undefined => ySyncPluginKey.getState(view.state)?.doc;
  let doc = docOf();
  let stop = doc && listen(doc);
  return {
    update: () => {
      const now = docOf();
      if (now === doc) return;
      stop?.();
      doc = now;
      stop = doc && listen(doc);
    },
    destroy: () => stop?.(),
  };
}
