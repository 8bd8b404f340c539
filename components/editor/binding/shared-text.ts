import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { StepMap } from "@tiptap/pm/transform";
import { ProsemirrorBinding, ySyncPlugin, ySyncPluginKey } from "@tiptap/y-tiptap";
import { type AbstractType, type Doc, XmlElement, type XmlFragment } from "yjs";
import { docListener } from "../undo/doc-listener";
import { writeLetters } from "../letters/exact-letters";
import { composedMap } from "../undo/step-map-composition";
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

/**
 * Tells the binding which nodes these elements and their parents show now. It stops at a block that says the same
 * already, and keeps the old nodes of what stands within.
 */
function showNodes(binding: ProsemirrorBinding, elements: Iterable<XmlElement>, doc: Node): void {
  for (const element of elements) {
    const path: XmlElement[] = [];
    for (let type: unknown = element; type instanceof XmlElement; type = type.parent)
      path.unshift(type);
    let [parent, node]: [XmlFragment, Node | null] = [binding.type, doc];
    // Of an outermost block the binding knows.
    if (path.length === 1) continue;
    for (const type of path) {
      node = node.maybeChild(parent.toArray().indexOf(type));
      if (node === null) break;
      binding.mapping.set(type, node);
      parent = type;
    }
  }
}

/** What changed in an editor since its shared text said the same. */
type Unwritten = { from: Node; map: StepMap };

/** Binds an editor's state to a shared text. */
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
    // The binding has its first nodes by now: its own view is made before this one.
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
