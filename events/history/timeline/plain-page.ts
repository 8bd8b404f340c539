import { placeStanding, wentSingly } from "./life-runs";
import type { DocumentJson } from "./full-history-text";
import { structuralTokenKind } from "./columnar-history";
import type { ColumnarHistory } from "./columnar-history";
import { attributesAt, withBoundary } from "./text-page";
import type { PageText } from "./text-page";

// Yjs adds a hash of its value to the key of a mark that may overlap itself.
const overlap = /--[a-zA-Z0-9+/=]{8}$/;
const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/** Collects pieces of text into one string. Creating a string per piece would dominate the cost. */
class Letters {
  private readonly units = new Uint16Array(8192);
  private count = 0;
  private full = "";

  add(text: Uint16Array, from: number, to: number): void {
    const { units } = this;
    let at = from;
    while (at < to) {
      if (this.count === units.length) this.spill();
      const shift = this.count - at;
      const end = Math.min(to, units.length - shift);
      for (; at < end; at += 1) units[at + shift] = text[at] ?? 0;
      this.count = end + shift;
    }
  }

  private spill(): void {
    this.full += utf16.decode(this.units, { stream: true });
    this.count = 0;
  }

  /** Returns the text added so far and clears it. */
  take(): string {
    if (this.count === 0) return "";
    const taken = this.full + utf16.decode(this.units.subarray(0, this.count));
    this.count = 0;
    this.full = "";
    return taken;
  }
}

/**
 * Reads blocks as they stood at one revision directly from the columns, skipping whole runs that
 * did not stand.
 */
export class PlainReader {
  private readonly columns: ColumnarHistory;
  private readonly letters = new Letters();
  private revision = 0;
  private sign = 0;
  private run = 0;
  private readonly span = { from: 0, to: 0 };

  constructor(columns: ColumnarHistory) {
    this.columns = columns;
  }

  /** Returns a block as ProseMirror JSON, or an empty list if the block did not stand. */
  blockAt(index: number, revision: number): DocumentJson[] {
    const { blocks } = this.columns;
    const nodes: DocumentJson[] = [];
    this.revision = revision;
    this.sign = blocks.sign[index] ?? 0;
    this.run = blocks.run[index] ?? 0;
    if (this.stands(this.sign)) this.read(nodes);
    return nodes;
  }

  private stands(sign: number): boolean {
    const { born, died } = this.columns.structuralTokens;
    return (born[sign] ?? 0) <= this.revision && (died[sign] ?? 0) > this.revision;
  }

  private read(into: DocumentJson[]): void {
    const { structuralTokens, elements } = this.columns;
    const opening = this.sign;
    this.sign += 1;
    if (!this.stands(opening)) return this.pass();
    if (structuralTokens.kind[opening] === structuralTokenKind.textblock)
      return this.readTextblock(structuralTokens.at[opening] ?? 0, into);
    const { name, attributes } = elements[structuralTokens.fact[opening] ?? 0] ?? {
      name: "",
      attributes: [],
    };
    const node: DocumentJson = { type: name };
    const attrs = attributesAt(attributes, this.revision);
    if (Object.keys(attrs).length > 0) node.attrs = attrs;
    const content: DocumentJson[] = [];
    while (
      structuralTokens.kind[this.sign] !== structuralTokenKind.end &&
      this.sign < structuralTokens.kind.length
    )
      this.read(content);
    this.sign += 1;
    if (content.length > 0) node.content = content;
    into.push(node);
  }

  /** Skips to the end of the current element. */
  private pass(): void {
    const { kind } = this.columns.structuralTokens;
    for (let depth = 1; depth > 0 && this.sign < kind.length; this.sign += 1) {
      if (kind[this.sign] === structuralTokenKind.end) depth -= 1;
      else if (kind[this.sign] !== structuralTokenKind.markBoundary) depth += 1;
    }
  }

  private readTextblock(from: number, into: DocumentJson[]): void {
    const { structuralTokens, markBoundaries } = this.columns;
    let marks: PageText["marks"] = [];
    for (let at = from; this.sign < structuralTokens.kind.length; this.sign += 1) {
      const { sign } = this;
      const end = structuralTokens.at[sign] ?? 0;
      if (end > at) this.gather(at, end);
      at = end;
      if (structuralTokens.kind[sign] !== structuralTokenKind.markBoundary) break;
      const markBoundary = markBoundaries[structuralTokens.fact[sign] ?? 0];
      if (!markBoundary || !this.stands(sign)) continue;
      this.write(marks, into);
      marks = withBoundary(marks, markBoundary);
    }
    this.write(marks, into);
    this.sign += 1;
  }

  private write(marks: PageText["marks"], into: DocumentJson[]): void {
    const text = this.letters.take();
    if (text === "") return;
    const node: DocumentJson = { type: "text", text };
    if (marks.length > 0)
      node.marks = marks.map(({ type, attrs }) => ({ type: type.replace(overlap, ""), attrs }));
    into.push(node);
  }

  /**
   * Collects the text that stood between two positions, contiguous characters at once. Every run of
   * a document passes here, so two comparisons decide most runs, and `placeStanding` decides partly
   * standing ones.
   */
  private gather(from: number, end: number): void {
    const {
      letters,
      span,
      columns: { text, runs },
    } = this;
    // Births and deaths are unsigned, so `revision` is too: comparing signed with unsigned falls
    // back to floats.
    const revision = this.revision >>> 0;
    const { start, born, died, steps, length } = runs;
    const last = start.length - 1;
    let { run } = this;
    let first = from;
    let behind = from;
    for (let begins = start[run] ?? 0, ends = 0; ; run += 1, begins = ends) {
      ends = run < last ? (start[run + 1] ?? 0) : length;
      const came = born[run] ?? 0;
      const singly = wentSingly(steps[run] ?? 0);
      if (came <= revision && (singly || (died[run] ?? 0) > revision)) {
        let at = begins;
        let to = ends;
        if (singly || revision - came < ends - begins) {
          placeStanding(runs, run, revision, span);
          at = span.from;
          to = span.to;
        }
        if (at < to && at !== behind) {
          letters.add(text, first, behind);
          first = Math.max(from, at);
        }
        if (at < to) behind = Math.min(end, to);
      }
      if (ends >= end || run >= last) break;
    }
    this.run = run;
    letters.add(text, first, behind);
  }
}
