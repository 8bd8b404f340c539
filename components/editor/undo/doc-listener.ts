import type { EditorState } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import type { Doc } from "yjs";

/**
 * A plugin's view that hears what an editor's shared document tells, also of one that has taken the
 * place of the one before. `listen` answers the function that ends it.
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
