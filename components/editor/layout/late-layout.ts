import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";

/** The smallest number of blocks from which a remote change lays out invisible blocks later. */
const leastBlocks = 40;
/** The number of letters that one frame lays out, and the maximum number of blocks. */
const lettersAtOnce = 12_000;
const blocksAtOnce = 64;

/** Blocks whose layout is deferred unless they are visible. */
type LateBlocks = { blocks: ReadonlySet<Node>; shown: DecorationSet };

const key = new PluginKey<LateBlocks>("lateLayout");
const none: LateBlocks = { blocks: new Set(), shown: DecorationSet.empty };

/** Returns the blocks of a state whose layout is deferred. */
export const lateBlocksOf = (state: EditorState): LateBlocks => key.getState(state) ?? none;

/** Estimates the height of a block without layout, in px: 30 for each 70 letters. */
const judgedHeight = ({ content }: Node) => Math.max(1, Math.ceil(content.size / 70)) * 30;

function decorated(doc: Node, late: ReadonlySet<Node>): LateBlocks {
  if (late.size === 0) return none;
  const blocks = new Set<Node>();
  const marks: Decoration[] = [];
  doc.forEach((block, pos) => {
    if (!late.has(block)) return;
    blocks.add(block);
    const style = `contain-intrinsic-block-size: ${judgedHeight(block)}px`;
    const attributes = { class: "late", style };
    marks.push(Decoration.node(pos, pos + block.nodeSize, attributes, { block }));
  });
  return { blocks, shown: DecorationSet.create(doc, marks) };
}

/** Removes some blocks without rebuilding the decorations. */
function without({ blocks, shown }: LateBlocks, gone: ReadonlySet<Node>): LateBlocks {
  const ended = shown.find(undefined, undefined, ({ block }) => gone.has(block));
  return {
    blocks: new Set([...blocks].filter((block) => !gone.has(block))),
    shown: shown.remove(ended),
  };
}

/** Returns the blocks of a large remote change, without the block with the caret. */
function broughtBy(transaction: Transaction): Node[] {
  const sync: { isChangeOrigin?: boolean; binding?: unknown } | undefined =
    transaction.getMeta(ySyncPluginKey);
  // With `binding`, the same text was bound to another document, or for the first time.
  if (sync?.isChangeOrigin !== true || sync.binding !== undefined) return [];
  const { before, doc, selection } = transaction;
  const had = new Set<Node>(before.children);
  const brought = doc.children.filter((block) => !had.has(block));
  const caret = doc.childAfter(selection.head).node;
  return brought.length < leastBlocks ? [] : brought.filter((block) => block !== caret);
}

function lateAfter(transaction: Transaction, late: LateBlocks): LateBlocks {
  if (transaction.docChanged)
    return decorated(transaction.doc, new Set([...late.blocks, ...broughtBy(transaction)]));
  const laidOut: readonly Node[] | undefined = transaction.getMeta(key);
  return laidOut ? without(late, new Set(laidOut)) : late;
}

/** Returns the blocks to lay out in the next frame. */
function nextOf({ blocks }: LateBlocks): Node[] {
  const next: Node[] = [];
  let letters = 0;
  for (const block of blocks) {
    next.push(block);
    letters += block.content.size;
    if (letters >= lettersAtOnce || next.length >= blocksAtOnce) break;
  }
  return next;
}

/** Lays out a few blocks per frame until none is left. */
function layOutByFrames(view: EditorView) {
  let frame: number | null = null;
  const plan = () => {
    if (frame === null && lateBlocksOf(view.state).blocks.size > 0)
      frame = requestAnimationFrame(layOut);
  };
  const layOut = () => {
    frame = null;
    // Changes around a composition would disturb it.
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

export function lateLayoutPlugin(): Plugin<LateBlocks> {
  return new Plugin<LateBlocks>({
    key,
    state: { init: () => none, apply: lateAfter },
    view: layOutByFrames,
    props: { decorations: (state) => lateBlocksOf(state).shown },
  });
}

/**
 * Spreads the layout of many remote blocks, for example after a restore, over frames. Visible
 * blocks are laid out first. Otherwise the browser lays out all of them before the next key. The
 * blocks are in the DOM at once.
 */
export const LateLayout = Extension.create({
  name: "lateLayout",
  addProseMirrorPlugins: () => [lateLayoutPlugin()],
});
