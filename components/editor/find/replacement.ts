import type { EditorState, Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { joinsStep } from "../undo/own-undo";
import type { Hit } from "./hits";

/** Maximum number of rounds in which the hits of a block are replaced. */
const mostRounds = 40;
/** Maximum number of hits, and of new letters, in one update. An event has room for no more. */
const mostAtOnce = 1_000;
const lettersAtOnce = 40_000;

function replaceIn(tr: Transaction, from: number, to: number, words: string): void {
  if (words === "") return void tr.delete(from, to);
  const marks = tr.doc.nodeAt(from)?.marks ?? [];
  tr.replaceWith(from, to, tr.doc.type.schema.text(words, marks));
}

/** Replaces a hit and keeps its marks. */
export function replaceHit({ tr }: EditorState, { from, to }: Hit, words: string): Transaction {
  replaceIn(tr, from, to, words);
  return tr;
}

/** The remaining hits of a block in document order, and the growth of the block so far. */
type Block = { left: Hit[]; share: number; grown: number };

function blocksOf(hits: readonly Hit[]): Block[] {
  const blocks = new Map<number, Hit[]>();
  for (const hit of hits) {
    const others = blocks.get(hit.block);
    if (others) others.push(hit);
    else blocks.set(hit.block, [hit]);
  }
  return [...blocks.values()].map((left) => ({
    left,
    share: Math.ceil(left.length / mostRounds),
    grown: 0,
  }));
}

/**
 * Replaces every hit as one undo step. Each round replaces a share of each block's hits. The
 * binding writes the span from a block's first difference to its last, and the letters between two
 * hits must keep their identity for concurrent writers.
 */
export function replaceAll(
  view: Pick<EditorView, "state" | "dispatch">,
  hits: readonly Hit[],
  words: string,
): void {
  const most = Math.max(1, Math.min(mostAtOnce, Math.floor(lettersAtOnce / (words.length + 1))));
  const blocks = blocksOf(hits);
  let { tr } = view.state;
  let first = true;
  const flush = () => {
    if (!tr.docChanged) return;
    view.dispatch(first ? tr : joinsStep(tr));
    first = false;
    ({ tr } = view.state);
  };
  while (blocks.some(({ left }) => left.length > 0)) {
    let before = 0;
    const moved = blocks.map(({ grown }) => (before += grown) - grown);
    // Backwards, so that the positions before a hit have not moved in this round.
    for (let index = blocks.length - 1; index >= 0; index -= 1) {
      const block = blocks[index];
      if (block === undefined) continue;
      for (const { from, to } of block.left.splice(-block.share).reverse()) {
        const by = moved[index] ?? 0;
        replaceIn(tr, from + by, to + by, words);
        block.grown += words.length - (to - from);
        if (tr.steps.length >= most) flush();
      }
    }
    flush();
  }
}
