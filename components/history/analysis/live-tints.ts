import type { Editor } from "@tiptap/core";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { ContentString, XmlElement, XmlText, type XmlFragment } from "yjs";
import { readSelection } from "@/components/editor/own-selection";
import { personClass } from "@/components/ui/palette";

/** The colour of whoever a Yjs client id is bound to; null where nobody is known. */
type ColourOf = (client: number) => number | null;

/** Under which Yjs clients a run of characters was first written. */
type ClientsOf = (
  client: number,
  clock: number,
  length: number,
) => readonly { client: number; length: number }[];

type TintSource = { colourOf: ColourOf; clientsOf: ClientsOf };

const key = new PluginKey<DecorationSet>("live-tints");

/** The runs of one author in a text, in order. */
function runsOf(text: XmlText, clientsOf: ClientsOf): { client: number; length: number }[] {
  const runs: { client: number; length: number }[] = [];
  for (let item = text._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof ContentString)) continue;
    for (const { client, length } of clientsOf(item.id.client, item.id.clock, item.length)) {
      const last = runs.at(-1);
      if (last?.client === client) last.length += length;
      else runs.push({ client, length });
    }
  }
  return runs;
}

/** Walks the shared text and the editor's document side by side, which have the same shape. */
function tintsOf(
  parent: XmlFragment | XmlElement,
  node: Node,
  start: number,
  tints: TintSource,
  into: Decoration[],
): void {
  let index = 0;
  let at = start;
  for (const child of parent.toArray()) {
    if (child instanceof XmlText) {
      const begin = at;
      for (const { client, length } of runsOf(child, tints.clientsOf)) {
        const colour = tints.colourOf(client);
        if (colour !== null)
          into.push(
            Decoration.inline(at, at + length, { class: `washed written ${personClass(colour)}` }),
          );
        at += length;
      }
      // A text is as many nodes as it has changes of marks.
      for (let left = at - begin; left > 0 && index < node.childCount; index += 1)
        left -= node.child(index).nodeSize;
    } else if (child instanceof XmlElement && index < node.childCount) {
      const own = node.child(index);
      if (own.type.name === child.nodeName && !own.isLeaf) tintsOf(child, own, at + 1, tints, into);
      at += own.nodeSize;
      index += 1;
    }
  }
}

function tinted(state: EditorState, tints: TintSource): DecorationSet {
  const sync = ySyncPluginKey.getState(state);
  if (!sync || sync.binding.mapping.size === 0) return DecorationSet.empty;
  const decorations: Decoration[] = [];
  tintsOf(sync.type, state.doc, 0, tints, decorations);
  return DecorationSet.create(state.doc, decorations);
}

/**
 * Washes the text being written in its authors' colours, for as long as it is not called off by the
 * function that it gives back.
 */
export function showTints(editor: Editor, tints: TintSource): () => void {
  editor.registerPlugin(
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_, state) => tinted(state, tints),
        apply: (transaction, shown, _before, state) => {
          if (transaction.getMeta(key) !== undefined) return tinted(state, tints);
          return transaction.docChanged ? shown.map(transaction.mapping, transaction.doc) : shown;
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  );
  let frame = 0;
  const anew = () => {
    if (editor.isDestroyed) return;
    readSelection(editor.view);
    editor.view.dispatch(editor.state.tr.setMeta(key, "anew"));
  };
  // The shared text follows the editor only once a transaction is over.
  const renew = ({ transaction }: { transaction: { docChanged: boolean } }) => {
    if (!transaction.docChanged) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(anew);
  };
  editor.on("transaction", renew);
  // A plugin added later has not been told of what has been bound since.
  anew();
  return () => {
    cancelAnimationFrame(frame);
    editor.off("transaction", renew);
    if (!editor.isDestroyed) editor.unregisterPlugin(key);
  };
}
