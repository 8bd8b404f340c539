import { bornStep, diedStep, runEnd } from "./life-runs";
import type { HistoryElement, TextRun, Textblock, MarkBoundary } from "./full-history-text";
import { structuralTokenKind } from "./columnar-history";
import type { ColumnarHistory } from "./columnar-history";

/** Walks the structural tokens and runs of one block. */
class BlockReader {
  private readonly columns: ColumnarHistory;
  private sign: number;
  private at: number;
  private run: number;

  constructor(columns: ColumnarHistory, index: number) {
    this.columns = columns;
    this.sign = columns.blocks.sign[index] ?? 0;
    this.at = columns.blocks.start[index] ?? 0;
    this.run = columns.blocks.run[index] ?? 0;
  }

  read(): HistoryElement | Textblock {
    const { structuralTokens, elements } = this.columns;
    const opening = this.sign;
    this.sign += 1;
    const lived = {
      born: structuralTokens.born[opening] ?? 0,
      died: structuralTokens.died[opening] ?? 0,
    };
    if (structuralTokens.kind[opening] === structuralTokenKind.textblock)
      return { kind: "textblock", pieces: this.pieces(), ...lived };
    const { name, attributes } = elements[structuralTokens.fact[opening] ?? 0] ?? {
      name: "",
      attributes: [],
    };
    const children: (HistoryElement | Textblock)[] = [];
    while (
      structuralTokens.kind[this.sign] !== structuralTokenKind.end &&
      this.sign < structuralTokens.kind.length
    )
      children.push(this.read());
    this.sign += 1;
    return { kind: "element", name, attributes, children, ...lived };
  }

  private pieces(): (TextRun | MarkBoundary)[] {
    const { structuralTokens, markBoundaries } = this.columns;
    const pieces: (TextRun | MarkBoundary)[] = [];
    for (; this.sign < structuralTokens.kind.length; this.sign += 1) {
      const { sign } = this;
      while (this.at < (structuralTokens.at[sign] ?? 0))
        pieces.push(this.textRun(structuralTokens.at[sign] ?? 0));
      if (structuralTokens.kind[sign] !== structuralTokenKind.markBoundary) break;
      const { key, value } = markBoundaries[structuralTokens.fact[sign] ?? 0] ?? {
        key: "",
        value: null,
      };
      pieces.push({
        kind: "markBoundary",
        key,
        value,
        born: structuralTokens.born[sign] ?? 0,
        died: structuralTokens.died[sign] ?? 0,
      });
    }
    this.sign += 1;
    return pieces;
  }

  /** Reads the consecutive characters of one Yjs client, up to a given character. */
  private textRun(end: number): TextRun {
    const { runs, text } = this.columns;
    const from = this.at;
    const client = runs.client[this.run] ?? 0;
    const clock = (runs.clock[this.run] ?? 0) + from - (runs.start[this.run] ?? 0);
    const joins = (run: number) =>
      runs.client[run] === client &&
      (runs.clock[run] ?? 0) - (runs.start[run] ?? 0) === clock - from;
    let last = this.run;
    while (runEnd(runs, last) < end && joins(last + 1)) last += 1;
    const to = Math.min(end, runEnd(runs, last));
    const born = new Uint32Array(to - from);
    const died = new Uint32Array(to - from);
    for (let run = this.run, at = from; run <= last; run += 1) {
      const start = runs.start[run] ?? 0;
      const stop = Math.min(to, runEnd(runs, run));
      const steps = runs.steps[run] ?? 0;
      const [firstBorn, firstDied, bornOn, diedOn] = [
        runs.born[run] ?? 0,
        runs.died[run] ?? 0,
        bornStep(steps),
        diedStep(steps),
      ];
      for (; at < stop; at += 1) {
        born[at - from] = firstBorn + (at - start) * bornOn;
        died[at - from] = firstDied + (at - start) * diedOn;
      }
    }
    this.run = to === runEnd(runs, last) ? last + 1 : last;
    this.at = to;
    return {
      kind: "textRun",
      text: decoded(text.subarray(from, to)),
      born,
      died,
      client: runs.clients[client] ?? 0,
      clock,
    };
  }
}

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

function decoded(units: Uint16Array): string {
  return units.length < 32 ? String.fromCharCode(...units) : utf16.decode(units);
}

/** Builds a block's nodes from the columns. */
export function readBlock(columns: ColumnarHistory, index: number): HistoryElement | Textblock {
  return new BlockReader(columns, index).read();
}
