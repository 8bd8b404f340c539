import { lastUpTo } from "@/events/core/binary-search";
import type {
  Attribute,
  Block,
  HistoryElement,
  Textblock,
  MarkBoundary,
} from "./full-history-text";

/**
 * Consecutive characters with the same marks, author and, where the view distinguishes them,
 * revision. `written` is the revision of their first writing, if the view knows it (`birthsIn`).
 */
export type PageText = {
  text: string;
  marks: { type: string; attrs: unknown }[];
  born: number;
  written: number;
  died: number | null;
};
export type PageNode = {
  name: string;
  attrs: Record<string, unknown>;
  content: (PageNode | PageText)[];
  died: number | null;
};

export type PageView = {
  /** The displayed revision, whose changes are included. */
  at: number;
  /** Text deleted after this revision is shown struck through. If it equals `at`, no text is. */
  struckSince: number;
  /** Strikes only text inserted by this revision. The default is `struckSince`. */
  struckIfBornBy?: number;
  /** Whether text deleted at a revision is omitted instead of struck through. */
  isLeftOut?: (died: number) => boolean;
  /**
   * Returns a key of the revisions of birth, here and originally. Characters with equal keys may
   * share a run.
   */
  tint: (born: number, written: number) => unknown;
  /** Returns when each character of a textblock was first written, if that was elsewhere. */
  birthsIn?: (textblock: Textblock) => Uint32Array | null;
};

type Lived = { born: number; died: number };

function stands({ born, died }: Lived, view: PageView): boolean {
  return born <= view.at && died > view.at;
}

function shows({ born, died }: Lived, view: PageView): boolean {
  return died > view.at
    ? born <= view.at
    : died > view.struckSince &&
        born <= (view.struckIfBornBy ?? view.struckSince) &&
        view.isLeftOut?.(died) !== true;
}

/** Returns an element's attributes at a revision. */
export function attributesAt(
  attributes: readonly Attribute[],
  at: number,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  // Each key's values are listed latest first, as Yjs resolves them.
  for (const { key, value, born, died } of attributes) {
    if (born <= at && died > at && !(key in found)) found[key] = value;
  }
  return found;
}

/** Returns the marks after a mark boundary. */
export function withBoundary(
  marks: PageText["marks"],
  { key, value }: Pick<MarkBoundary, "key" | "value">,
): PageText["marks"] {
  const rest = marks.filter(({ type }) => type !== key);
  return value === null ? rest : [...rest, { type: key, attrs: value }];
}

function textblockAt(textblock: Textblock, view: PageView): PageText[] {
  const { at, struckSince, struckIfBornBy = struckSince, isLeftOut } = view;
  const runs: PageText[] = [];
  let marks: PageText["marks"] = [];
  let open: PageText | null = null;
  let worn: unknown;
  const births = view.birthsIn?.(textblock) ?? null;
  let passed = 0;
  for (const piece of textblock.pieces) {
    if (piece.kind === "markBoundary") {
      if (stands(piece, view)) marks = withBoundary(marks, piece);
      continue;
    }
    // The index where the pending letters of the open run begin, or Infinity without any.
    let from = Infinity;
    const take = (end: number) => {
      if (open && from < end) open.text += piece.text.slice(from, end);
      from = Infinity;
    };
    for (let index = 0; index < piece.text.length; index += 1) {
      const born = piece.born[index] ?? 0;
      const died = piece.died[index] ?? 0;
      if (
        died > at
          ? born > at
          : died <= struckSince || born > struckIfBornBy || isLeftOut?.(died) === true
      ) {
        take(index);
        continue;
      }
      const gone = died > at ? null : died;
      const written = births?.[passed + index] ?? born;
      const tint = view.tint(born, written);
      if (open === null || open.marks !== marks || open.died !== gone || worn !== tint) {
        take(index);
        open = { text: "", marks, born, written, died: gone };
        worn = tint;
        runs.push(open);
      }
      if (from === Infinity) from = index;
    }
    take(piece.text.length);
    passed += piece.text.length;
  }
  return runs;
}

function nodesAt(node: HistoryElement | Textblock, view: PageView): (PageNode | PageText)[] {
  if (!shows(node, view)) return [];
  if (node.kind === "textblock") return textblockAt(node, view);
  const gone = node.died > view.at ? null : node.died;
  // A node that was deleted with its parent shows the parent's last attributes, not later ones.
  const attrs = attributesAt(node.attributes, gone === null ? view.at : gone - 1);
  return [
    {
      name: node.name,
      attrs,
      content: node.children.flatMap((child) => nodesAt(child, view)),
      died: gone,
    },
  ];
}

/** Returns a block at a revision, or an empty list if the block did not stand. */
export function blockAt(block: Block, view: PageView): (PageNode | PageText)[] {
  return nodesAt(block.node, view);
}

/**
 * Counts the ascending `changes` that had happened by a revision. Equal counts mean equal blocks.
 */
export function revisionAt(changes: Uint32Array, at: number): number {
  return lastUpTo(changes, at) + 1;
}
