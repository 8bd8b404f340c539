import type { Editor } from "@tiptap/core";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { ContentString, XmlElement, XmlText } from "yjs";
import type { XmlFragment } from "yjs";
import { readSelection } from "@/components/editor/carets/own-selection";
import { noTints, tintsIn, withTints } from "@/components/editor/carets/tints";
import type { Stretch, Tints } from "@/components/editor/carets/tints";
import { personClass } from "@/components/ui/pictures/palette";
import { blocksInView } from "./blocks-in-view";

/** Returns the colour of the person to whom a Yjs client id is bound, or null if unknown. */
type ColourOf = (client: number) => number | null;

/** Returns the Yjs clients that first wrote a run of characters. */
type ClientsOf = (
  client: number,
  clock: number,
  length: number,
) => readonly { client: number; length: number }[];

type TintSource = { colourOf: ColourOf; clientsOf: ClientsOf };

/** The number of screens above and below the viewport that are also coloured. */
const screensAround = 1;

/** Returns the runs of a text in order, each of one client. */
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

/** Walks the shared text and the editor's document in parallel. Both have the same shape. */
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
      // A shared text corresponds to one node per run of equal marks.
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

/** The author colours of a live text. `name` replaces the source of the colours. */
export type LiveTints = { name(tints: TintSource): void; stop(): void };

/** Colours the visible part of the live text by author until stopped. */
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
  // Waits for the next frame, which draws the typed letters. The frame after it draws the colours.
  const later = () => {
    cancel();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => (timer = setTimeout(look)));
    cancel = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  };
  // The shared text is updated only after a transaction of the editor.
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
