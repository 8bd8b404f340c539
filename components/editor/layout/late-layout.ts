import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";

/** From so many blocks that come at once, those that nobody sees are laid out later. */
const leastBlocks = 40;
/** Of how many letters the blocks are that one frame lays out, and how many they are at most. */
const lettersAtOnce = 12_000;
const blocksAtOnce = 64;

/** Blocks that are laid out later unless they are seen. */
type LateBlocks = { blocks: ReadonlySet<Node>; shown: DecorationSet };

const key = new PluginKey<LateBlocks>("lateLayout");
const none: LateBlocks = { blocks: new Set(), shown: DecorationSet.empty };

/** The blocks of a state that are laid out later. */
export const lateBlocksOf = (state: EditorState): LateBlocks => key.getState(state) ?? none;

/** How high a block is that was never laid out, in pixels: by its letters, seventy to a line. */
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

/** The same without some, for which nothing is built anew. */
function without({ blocks, shown }: LateBlocks, gone: ReadonlySet<Node>): LateBlocks {
  const ended = shown.find(undefined, undefined, ({ block }) => gone.has(block));
  return {
    blocks: new Set([...blocks].filter((block) => !gone.has(block))),
    shown: shown.remove(ended),
  };
}

/** The blocks that somebody else has brought, if they are many, but for the one with the caret. */
function broughtBy(transaction: Transaction): Node[] {
  const sync: { isChangeOrigin?: boolean; binding?: unknown } | undefined =
    transaction.getMeta(ySyncPluginKey);
  // With its binding, the same text is bound to another document, or for the first time.
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

/** Which of them are laid out next. */
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

/** Lays out some blocks in each frame that is drawn, until none is left. */
function layOutByFrames(view: EditorView) {
  let frame: number | null = null;
  const plan = () => {
    if (frame === null && lateBlocksOf(view.state).blocks.size > 0)
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

export function lateLayoutPlugin(): Plugin<LateBlocks> {
  return new Plugin<LateBlocks>({
    key,
    state: { init: () => none, apply: lateAfter },
    view: layOutByFrames,
    props: { decorations: (state) => lateBlocksOf(state).shown },
  });
}

/**
 * Has the browser lay out many blocks that somebody else brings at once, as by restoring a
 * revision, some in each frame, first those that are seen: it would lay out all of them before the
 * next key. They are in the page at once.
 */
export const LateLayout = Extension.create({
  name: "lateLayout",
  addProseMirrorPlugins: () => [lateLayoutPlugin()],
});
