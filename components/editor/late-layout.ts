import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";

/** From so many blocks that come at once, those that nobody sees are laid out later. */
const leastBlocks = 40;
/** Of how many letters the blocks are that are laid out in one frame, and how many they are at most. */
const lettersAtOnce = 6_000;
const blocksAtOnce = 32;

/** The blocks that are not laid out yet unless they are seen, each with how high it is taken to be. */
type LateBlocks = { heights: ReadonlyMap<Node, number>; shown: DecorationSet };

const key = new PluginKey<LateBlocks>("lateLayout");
const none: LateBlocks = { heights: new Map(), shown: DecorationSet.empty };

/** The blocks of a state that are laid out later. */
export const lateBlocksOf = (state: EditorState): LateBlocks => key.getState(state) ?? none;

/** How high a block is that was never laid out, in pixels: by its letters, seventy to a line. */
const judgedHeight = ({ content }: Node) => Math.max(1, Math.ceil(content.size / 70)) * 30;

function decorated(doc: Node, heights: ReadonlyMap<Node, number>): LateBlocks {
  if (heights.size === 0) return none;
  const blocks: Decoration[] = [];
  const standing = new Map<Node, number>();
  doc.forEach((block, pos) => {
    const height = heights.get(block);
    if (height === undefined) return;
    standing.set(block, height);
    const style = `contain-intrinsic-block-size: ${height}px`;
    blocks.push(Decoration.node(pos, pos + block.nodeSize, { class: "late", style }));
  });
  return { heights: standing, shown: DecorationSet.create(doc, blocks) };
}

/** The blocks that somebody else has brought, but for the one with the caret. */
function broughtBy(
  { before, doc, selection }: Transaction,
  known: readonly number[],
): Map<Node, number> {
  const had = new Set<Node>(before.children);
  const caret = doc.childAfter(selection.head).node;
  const brought = new Map<Node, number>();
  doc.forEach((block, _pos, index) => {
    if (!had.has(block) && block !== caret) brought.set(block, known[index] ?? judgedHeight(block));
  });
  return brought.size < leastBlocks ? new Map() : brought;
}

/**
 * The blocks that are still to be laid out after a transaction; `known` are the heights of all blocks
 * that it brings, where they stood on the page before.
 */
function lateAfter(
  transaction: Transaction,
  late: LateBlocks,
  known: readonly number[],
): LateBlocks {
  const laidOut: readonly Node[] = transaction.getMeta(key) ?? [];
  if (!transaction.docChanged && laidOut.length === 0) return late;
  const heights = new Map(late.heights);
  for (const block of laidOut) heights.delete(block);
  const sync: { isChangeOrigin?: boolean } | undefined = transaction.getMeta(ySyncPluginKey);
  if (transaction.docChanged && sync?.isChangeOrigin === true)
    for (const [block, height] of broughtBy(transaction, known)) heights.set(block, height);
  return decorated(transaction.doc, heights);
}

/** Which of them are laid out next. */
function nextOf({ heights }: LateBlocks): Node[] {
  const next: Node[] = [];
  let letters = 0;
  for (const block of heights.keys()) {
    next.push(block);
    letters += block.content.size;
    if (letters >= lettersAtOnce || next.length >= blocksAtOnce) break;
  }
  return next;
}

/** Lays out some blocks in each frame that is drawn, until none is left. */
function layOutByFrames(view: EditorView) {
  let frame: number | null = null;
  const plan = () => {
    if (frame === null && lateBlocksOf(view.state).heights.size > 0)
      frame = requestAnimationFrame(layOut);
  };
  const layOut = () => {
    frame = null;
    // The browser composes on its own: nothing is changed around it.
    if (view.composing) return plan();
    const next = nextOf(lateBlocksOf(view.state));
    view.dispatch(view.state.tr.setMeta(key, next).setMeta("addToHistory", false));
  };
  return {
    update: plan,
    destroy: () => {
      if (frame !== null) cancelAnimationFrame(frame);
    },
  };
}

/** `heights` are those of the blocks that stand in the page already, which the editor takes over. */
export function lateLayoutPlugin(heights: readonly number[]): Plugin<LateBlocks> {
  let known = heights;
  return new Plugin<LateBlocks>({
    key,
    state: {
      init: () => none,
      apply: (transaction, late) => {
        if (transaction.doc.childCount !== known.length) return lateAfter(transaction, late, []);
        const after = lateAfter(transaction, late, known);
        known = [];
        return after;
      },
    },
    view: layOutByFrames,
    props: { decorations: (state) => lateBlocksOf(state).shown },
  });
}

/**
 * Has the browser lay out many blocks that come at once, by somebody who restores a text or when
 * the editor takes it over, some in each frame, first those that are seen: it would lay out all of
 * them before the next key. They are in the page at once.
 */
export const LateLayout = Extension.create<{ heights: readonly number[] }>({
  name: "lateLayout",
  addOptions: () => ({ heights: [] }),
  addProseMirrorPlugins() {
    return [lateLayoutPlugin(this.options.heights)];
  },
});
