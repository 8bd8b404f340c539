import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { StepMap } from "@tiptap/pm/transform";
import { ProsemirrorBinding, ySyncPlugin, ySyncPluginKey } from "@tiptap/y-tiptap";
import { XmlElement } from "yjs";
import type { AbstractType, Doc, XmlFragment } from "yjs";
import { docListener } from "../undo/doc-listener";
import { writeLetters } from "../letters/exact-letters";
import { composedMap } from "../undo/step-map-composition";
import { survivingPlace } from "./surviving-place";

/** The nodes that the binding created for one type of the shared text. */
type Made = Node | Node[];

/**
 * The binding's nodes, by the shared type that each one shows. On a remote change the binding
 * deletes the entries of the changed types and then clears the map, which would recreate every node
 * of the text for every letter. The remaining entries are still valid, so `clear` does nothing.
 * Unchanged blocks keep their identity, so document comparison and rendering skip them.
 */
export class KeptNodes extends Map<AbstractType<unknown>, Made> {
  override clear(): void {
    // Intentionally empty. The class comment gives the reason.
  }
}

/**
 * Makes the binding restore a selection at the place of its removed block. Otherwise the selection
 * moves to the end of the text.
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

/**
 * Sets the nodes that these elements and their ancestors show in the binding. Stops at an unchanged
 * block and keeps the old nodes inside it.
 */
function showNodes(binding: ProsemirrorBinding, elements: Iterable<XmlElement>, doc: Node): void {
  for (const element of elements) {
    const path: XmlElement[] = [];
    for (let type: unknown = element; type instanceof XmlElement; type = type.parent)
      path.unshift(type);
    let [parent, node]: [XmlFragment, Node | null] = [binding.type, doc];
    // The binding handles top-level blocks itself.
    if (path.length === 1) continue;
    for (const type of path) {
      node = node.maybeChild(parent.toArray().indexOf(type));
      if (node === null) break;
      binding.mapping.set(type, node);
      parent = type;
    }
  }
}

/** The document before the local changes that are not in the shared text yet, and their map. */
type Unwritten = { from: Node; map: StepMap };

/** The plugins that bind an editor's state to a shared text. */
export function sharedTextPlugins(fragment: XmlFragment): Plugin[] {
  let written: Node | null = null;
  const keep: Plugin<Unwritten> = new Plugin<Unwritten>({
    state: {
      init: (_, { doc }) => ({ from: doc, map: StepMap.empty }),
      apply(transaction, unwritten, { doc: before }) {
        if (transaction.getMeta(ySyncPluginKey)?.isChangeOrigin === true)
          return { from: transaction.doc, map: StepMap.empty };
        if (!transaction.docChanged) return unwritten;
        const { from, map } = before === written ? { from: before, map: StepMap.empty } : unwritten;
        return { from, map: transaction.mapping.maps.reduce(composedMap, map) };
      },
    },
    // The binding's view is created before this one, so the binding has already created its nodes.
    view: (view) => {
      const { binding }: { binding: ProsemirrorBinding } = ySyncPluginKey.getState(view.state);
      if (!(binding.mapping instanceof KeptNodes)) binding.mapping = new KeptNodes(binding.mapping);
      binding._prosemirrorChanged = (doc) => {
        const unwritten = keep.getState(view.state);
        const { elements, texts } =
          unwritten && doc === view.state.doc && doc !== written
            ? writeLetters(binding.type, unwritten.from, doc, unwritten.map)
            : { elements: [], texts: [] };
        for (const text of texts) binding.mapping.delete(text);
        ProsemirrorBinding.prototype._prosemirrorChanged.call(binding, doc);
        showNodes(binding, elements, doc);
        written = doc;
      };
      return docListener(view, (doc) => keepSelection(binding, doc));
    },
  });
  return [ySyncPlugin(fragment), keep];
}

/**
 * Binds the editor to a shared text. The person's undo history is separate (own-undo.ts) and
 * outlives the binding.
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
