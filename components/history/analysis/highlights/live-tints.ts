import type { Editor } from "@tiptap/core";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { ContentString, XmlElement, XmlText, type XmlFragment } from "yjs";
import { readSelection } from "@/components/editor/carets/own-selection";
import {
  noTints,
  type Stretch,
  type Tints,
  tintsIn,
  withTints,
} from "@/components/editor/carets/tints";
import { personClass } from "@/components/ui/pictures/palette";
import { blocksInView } from "./blocks-in-view";

/** The colour of whoever a Yjs client id is bound to; null where nobody is known. */
type ColourOf = (client: number) => number | null;

/** Under which Yjs clients a run of characters was first written. */
type ClientsOf = (
  client: number,
  clock: number,
  length: number,
) => readonly { client: number; length: number }[];

type TintSource = { colourOf: ColourOf; clientsOf: ClientsOf };

/** So many screens are coloured above and below what is to be seen. */
const screensAround = 1;

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

type Walk = { tints: TintSource; blocks: Stretch; into: Decoration[] };

/** Walks the shared text and the editor's document side by side, which have the same shape. */
function tintsOf(parent: XmlFragment | XmlElement, node: Node, start: number, walk: Walk): void {
  const { tints, blocks, into } = walk;
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
      const isWanted = at < blocks.to && at + own.nodeSize > blocks.from;
      if (isWanted && own.type.name === child.nodeName && !own.isLeaf)
        tintsOf(child, own, at + 1, walk);
      at += own.nodeSize;
      index += 1;
    }
  }
}

function tinted(state: EditorState, tints: TintSource, blocks: Stretch): Tints {
  const sync = ySyncPluginKey.getState(state);
  if (!sync || sync.binding.mapping.size === 0) return { blocks, decorations: DecorationSet.empty };
  const decorations: Decoration[] = [];
  tintsOf(sync.type, state.doc, 0, { tints, blocks, into: decorations });
  return { blocks, decorations: DecorationSet.create(state.doc, decorations) };
}

/** The colours of a text that is being written; whom they name may change, and then they are made anew. */
export type LiveTints = { name(tints: TintSource): void; stop(): void };

/** Washes the text being written in its authors' colours, as far as it is to be seen, until that is stopped. */
export function showTints(editor: Editor): LiveTints {
  let tints: TintSource | null = null;
  let cancel = () => {};
  let isStale = true;
  const look = () => {
    if (editor.isDestroyed || tints === null) return;
    const { view } = editor;
    const shown = tintsIn(editor.state).blocks;
    const seen = blocksInView(view, 0);
    if (!isStale && seen.from >= shown.from && seen.to <= shown.to) return;
    isStale = false;
    readSelection(view);
    const made = tinted(editor.state, tints, blocksInView(view, screensAround));
    view.dispatch(withTints(editor.state.tr, made));
  };
  // Behind the next frame, whose work is drawing what was written: colours are drawn in the one after it.
  const later = () => {
    cancel();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => (timer = setTimeout(look)));
    cancel = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  };
  // The shared text follows the editor only once a transaction is over.
  const renew = ({ transaction }: { transaction: { docChanged: boolean } }) => {
    if (!transaction.docChanged) return;
    isStale = true;
    later();
  };
  const stopped = new AbortController();
  const listening = { passive: true, capture: true, signal: stopped.signal };
  document.addEventListener("scroll", later, listening);
  addEventListener("resize", later, listening);
  editor.on("transaction", renew);
  return {
    name: (others) => {
      tints = others;
      isStale = true;
      later();
    },
    stop: () => {
      stopped.abort();
      cancel();
      editor.off("transaction", renew);
      if (!editor.isDestroyed) editor.view.dispatch(withTints(editor.state.tr, noTints));
    },
  };
}
