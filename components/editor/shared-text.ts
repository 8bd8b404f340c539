import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { type ProsemirrorBinding, ySyncPlugin, ySyncPluginKey } from "@tiptap/y-tiptap";
import type { AbstractType, Doc, XmlFragment } from "yjs";
import { docListener } from "./doc-listener";
import { survivingPlace } from "./surviving-place";

/** What the binding has made of a part of the shared text. */
type Made = Node | Node[];

/**
 * The nodes that the binding has made, by the part of the shared text that each shows. At a change
 * of somebody else's the binding removes those of the parts that changed, and then clears the map:
 * it would make all nodes of the text again for every letter. Those that are left are still right,
 * so they stay. Unchanged blocks are then the same objects as before, which comparing two documents
 * and drawing them see at once.
 */
export class KeptNodes extends Map<AbstractType<unknown>, Made> {
  override clear(): void {
    // Nothing: see above.
  }
}

/**
 * Has the binding put the selection where its block stood that somebody else removed: it would put
 * it at the end of the text.
 */
function keepSelection(binding: ProsemirrorBinding, doc: Doc): () => void {
  const keep = () => {
    const selection = binding.beforeTransactionSelection;
    for (const end of ["anchor", "head"] as const)
      if (selection?.[end]) selection[end] = survivingPlace(selection[end], doc);
  };
  doc.on("beforeObserverCalls", keep);
  return () => doc.off("beforeObserverCalls", keep);
}

/** Binds an editor's state to a shared text. */
export function sharedTextPlugins(fragment: XmlFragment): Plugin[] {
  const keep = new Plugin({
    // The binding has its first nodes by now: its own view is made before this one.
    view: (view) => {
      const { binding }: { binding: ProsemirrorBinding } = ySyncPluginKey.getState(view.state);
      if (!(binding.mapping instanceof KeptNodes)) binding.mapping = new KeptNodes(binding.mapping);
      return docListener(view, (doc) => keepSelection(binding, doc));
    },
  });
  return [ySyncPlugin(fragment), keep];
}

/**
 * Binds the editor to a shared text. What its writer can take back is kept beside it (own-undo.ts),
 * whatever it is bound to.
 */
export const SharedText = Extension.create<{ fragment: XmlFragment | null }>({
  name: "sharedText",
  priority: 1_000,
  addOptions: () => ({ fragment: null }),
  addProseMirrorPlugins() {
    const { fragment } = this.options;
    return fragment === null ? [] : sharedTextPlugins(fragment);
  },
});
