import { never } from "@/events/crdt/updates/lifespans";
import { readBlock } from "./block-reader";
import { bornStep, countStanding, diedStep, runLength } from "./life-runs";
import type { Block, DocumentJson, Lived, HistoryElement, Textblock } from "./full-history-text";
import { nowhere, structuralTokenKind } from "./columnar-history";
import type { ColumnarHistory } from "./columnar-history";
import { PlainReader } from "./plain-page";

const cachedBlocks = 256;

function collect(node: HistoryElement | Textblock, into: Set<number>): void {
  const both = ({ born, died }: Lived) => into.add(born).add(died);
  both(node);
  if (node.kind === "element") {
    node.attributes.forEach(both);
    for (const child of node.children) collect(child, into);
    return;
  }
  for (const piece of node.pieces) {
    if (piece.kind === "markBoundary") both(piece);
    else {
      for (const revision of piece.born) into.add(revision);
      for (const revision of piece.died) into.add(revision);
    }
  }
}

/**
 * All content that was ever written into a document, in page order. Deleted characters keep their
 * place in Yjs's list. The text at any revision is therefore this text without the characters not
 * yet written or already deleted: one pass, no replay.
 */
export class FullHistoryText {
  readonly blocks: Block[];
  readonly columns: ColumnarHistory;
  readonly plain: PlainReader;
  private readonly nodes = new Map<number, HistoryElement | Textblock>();

  constructor(columns: ColumnarHistory) {
    this.columns = columns;
    this.plain = new PlainReader(columns);
    this.blocks = columns.blocks.keys.map((key, index) => new StoredBlock(this, index, key));
  }

  /**
   * Returns the block in which a revision wrote or, if it wrote nothing, erased. Null for neither.
   */
  blockOf(revision: number): Block | null {
    const { places } = this.columns;
    const place = places[revision] ?? nowhere(places);
    return place === nowhere(places) ? null : (this.blocks[place] ?? null);
  }

  /** Returns the blocks that stand at `to`, and those that stood at `from` but no longer stand. */
  standingBetween(from: number, to: number): Block[] {
    const { structuralTokens, blocks } = this.columns;
    return this.blocks.filter((_, index) => {
      const sign = blocks.sign[index] ?? 0;
      const [born, died] = [structuralTokens.born[sign] ?? 0, structuralTokens.died[sign] ?? 0];
      return died > to ? born <= to : died > from && born <= from;
    });
  }

  /** Returns a block's content, from an LRU cache. */
  nodeOf(index: number): HistoryElement | Textblock {
    const known = this.nodes.get(index);
    if (known) {
      this.nodes.delete(index);
      this.nodes.set(index, known);
      return known;
    }
    const node = readBlock(this.columns, index);
    this.nodes.set(index, node);
    const [oldest] = this.nodes.keys();
    if (this.nodes.size > cachedBlocks && oldest !== undefined) this.nodes.delete(oldest);
    return node;
  }
}

class StoredBlock implements Block {
  readonly index: number;
  readonly key: string;
  private readonly historyText: FullHistoryText;

  constructor(historyText: FullHistoryText, index: number, key: string) {
    this.historyText = historyText;
    this.index = index;
    this.key = key;
  }

  get born(): number {
    return this.columns.structuralTokens.born[this.firstSign] ?? never;
  }

  get died(): number {
    return this.columns.structuralTokens.died[this.firstSign] ?? never;
  }

  get node(): HistoryElement | Textblock {
    return this.historyText.nodeOf(this.index);
  }

  get changes(): Uint32Array {
    const revisions = new Set<number>();
    collect(this.node, revisions);
    return Uint32Array.from(revisions).sort();
  }

  plainAt(at: number): DocumentJson[] {
    return this.historyText.plain.blockAt(this.index, at);
  }

  lettersAt(at: number): number {
    const { runs, blocks } = this.columns;
    const end = blocks.run[this.index + 1] ?? 0;
    let letters = 0;
    for (let run = blocks.run[this.index] ?? 0; run < end; run += 1)
      letters += countStanding(runs, run, at);
    return letters;
  }

  quietBetween(one: number, other: number): boolean {
    const from = Math.min(one, other);
    const to = Math.max(one, other);
    if (from === to) return true;
    const { runs, blocks, structuralTokens, elements } = this.columns;
    const within = (revision: number) => revision > from && revision <= to;
    for (let run = blocks.run[this.index] ?? 0; run < (blocks.run[this.index + 1] ?? 0); run += 1) {
      const length = runLength(runs, run) - 1;
      const steps = runs.steps[run] ?? 0;
      const born = runs.born[run] ?? 0;
      const died = runs.died[run] ?? 0;
      if (born <= to && born + length * bornStep(steps) > from) return false;
      const last = died + length * diedStep(steps);
      if (Math.min(died, last) <= to && Math.max(died, last) > from) return false;
    }
    for (let sign = this.firstSign; sign < (blocks.sign[this.index + 1] ?? 0); sign += 1) {
      const kind = structuralTokens.kind[sign];
      if (kind === structuralTokenKind.end) continue;
      if (within(structuralTokens.born[sign] ?? 0) || within(structuralTokens.died[sign] ?? 0))
        return false;
      if (
        kind === structuralTokenKind.element &&
        elements[structuralTokens.fact[sign] ?? 0]?.attributes.some(
          ({ born, died }) => within(born) || within(died),
        )
      )
        return false;
    }
    return true;
  }

  private get columns(): ColumnarHistory {
    return this.historyText.columns;
  }

  private get firstSign(): number {
    return this.columns.blocks.sign[this.index] ?? 0;
  }
}
