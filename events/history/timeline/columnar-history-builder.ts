import { never } from "@/events/crdt/updates/lifespans";
import { countSamples } from "./letter-samples";
import { LifeRunsBuilder } from "./life-runs";
import type { Attribute } from "./full-history-text";
import { structuralTokenKind } from "./columnar-history";
import type { ColumnarHistory, ElementFacts, MarkBoundaryFacts } from "./columnar-history";
import type { Sequence } from "@/events/history/sequence/sequence";
import { none } from "@/events/history/sequence/token-ids";
import { tokenKind } from "@/events/crdt/updates/token-content";

const deepest = 64;

class ColumnsBuilder {
  private readonly sequence: Sequence;
  private readonly units: Uint16Array;
  private length = 0;
  private readonly runs = new LifeRunsBuilder();
  private readonly structuralTokens = {
    kind: [] as number[],
    at: [] as number[],
    born: [] as number[],
    died: [] as number[],
    fact: [] as number[],
  };
  private readonly elements: ElementFacts[] = [];
  private readonly markBoundaries: MarkBoundaryFacts[] = [];
  private readonly known = new Map<string, number>();
  private readonly blocks = {
    keys: [] as string[],
    sign: [] as number[],
    start: [] as number[],
    run: [] as number[],
  };
  private readonly authors: ArrayLike<number>;
  private author = none;
  private readonly places: Uint32Array;
  private readonly brought: Uint8Array;
  private piece = { token: 0, tokens: 0, number: 0, clock: 0 };

  constructor(sequence: Sequence, authors: ArrayLike<number>, revisionCount: number) {
    this.sequence = sequence;
    this.authors = authors;
    this.places = new Uint32Array(revisionCount).fill(never);
    this.brought = new Uint8Array(revisionCount);
    this.units = new Uint16Array(sequence.length);
  }

  columns(root: number): ColumnarHistory {
    const { sequence } = this;
    for (let token = sequence.head(root); token !== none; token = sequence.next[token] ?? none) {
      const kind = sequence.kind[token];
      if (kind !== tokenKind.element && kind !== tokenKind.textblock) continue;
      const { number, clock } = sequence.ids.idOf(token);
      this.mark();
      this.blocks.keys.push(`${sequence.ids.clients[number]?.client ?? 0}:${clock}`);
      this.node(token, never, 0);
    }
    this.mark();
    const { kind, at, born, died, fact } = this.structuralTokens;
    const { keys, sign, start, run } = this.blocks;
    const runs = this.runs.finish(sequence.ids.clients.map(({ client: id }) => id));
    return {
      text: this.units.slice(0, this.length),
      runs,
      samples: countSamples(runs, run, this.places.length),
      structuralTokens: {
        kind: Uint8Array.from(kind),
        at: Uint32Array.from(at),
        born: Uint32Array.from(born),
        died: Uint32Array.from(died),
        fact: Uint32Array.from(fact),
      },
      elements: this.elements,
      markBoundaries: this.markBoundaries,
      blocks: {
        keys,
        sign: Uint32Array.from(sign),
        start: Uint32Array.from(start),
        run: Uint32Array.from(run),
      },
      places: keys.length < 0xffff ? Uint16Array.from(this.places) : this.places,
    };
  }

  private place(born: number, died: number): void {
    const block = this.blocks.keys.length - 1;
    if (this.brought[born] === 0) {
      this.brought[born] = 1;
      this.places[born] = block;
    }
    if (died < this.places.length && this.brought[died] === 0) this.places[died] = block;
  }

  /** Marks where a block begins, or where the last block ends. */
  private mark(): void {
    this.runs.cut();
    this.blocks.sign.push(this.structuralTokens.kind.length);
    this.blocks.start.push(this.length);
    this.blocks.run.push(this.runs.runs);
  }

  private sign(kind: number, born: number, died: number, fact: number): void {
    const { structuralTokens } = this;
    structuralTokens.kind.push(kind);
    structuralTokens.at.push(this.length);
    structuralTokens.born.push(born);
    structuralTokens.died.push(died);
    structuralTokens.fact.push(fact);
    if (kind !== structuralTokenKind.end) this.place(born, died);
  }

  /** Adds a node. An element's content is deleted no later than the element itself. */
  private node(token: number, limit: number, depth: number): void {
    const { sequence } = this;
    const isTextblock = sequence.kind[token] === tokenKind.textblock;
    const died = Math.min(sequence.died[token] ?? never, limit);
    this.sign(
      isTextblock ? structuralTokenKind.textblock : structuralTokenKind.element,
      sequence.born[token] ?? 0,
      died,
      isTextblock ? 0 : this.elementFact(token, died),
    );
    if (isTextblock) this.addTextblock(token, died);
    else
      for (let child = sequence.head(token); child !== none; child = sequence.next[child] ?? none) {
        const kind = sequence.kind[child];
        if ((kind === tokenKind.element || kind === tokenKind.textblock) && depth < deepest)
          this.node(child, died, depth + 1);
      }
    this.sign(structuralTokenKind.end, 0, 0, 0);
  }

  /** Adds a textblock. Every character passes this loop, so lookups are hoisted out of it. */
  private addTextblock(list: number, limit: number): void {
    const { sequence, authors, units, runs } = this;
    const { kind: kinds, next, born: births, died: deaths, unit } = sequence;
    let { author, piece, length } = this;
    for (let token = sequence.head(list); token !== none; token = next[token] ?? none) {
      const kind = kinds[token];
      const born = births[token] ?? 0;
      const died = Math.min(deaths[token] ?? never, limit);
      if (kind === tokenKind.char) {
        const by = authors[born] ?? none;
        if (by !== author) runs.cut();
        author = by;
        units[length] = unit[token] ?? 0;
        length += 1;
        if (token < piece.token || token >= piece.token + piece.tokens)
          piece = sequence.ids.pieceOf(token);
        runs.push(born, died, piece.number, piece.clock + token - piece.token);
        this.place(born, died);
      } else if (kind === tokenKind.markBoundary) {
        const content = sequence.contentOf(token);
        this.length = length;
        this.sign(
          structuralTokenKind.markBoundary,
          born,
          died,
          this.markBoundaryFact(content?.name ?? "", content?.value),
        );
      }
    }
    this.author = author;
    this.piece = piece;
    this.length = length;
  }

  private markBoundaryFact(key: string, value: unknown): number {
    const name = `markBoundary ${key} ${JSON.stringify(value)}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    this.known.set(name, this.markBoundaries.length);
    return this.markBoundaries.push({ key, value }) - 1;
  }

  private elementFact(token: number, limit: number): number {
    const { sequence } = this;
    const name = sequence.contentOf(token)?.name ?? "";
    const attributes = sequence
      .attributesOf(token)
      .flatMap(({ key, chain }) => this.values(key, chain, limit));
    if (attributes.length > 0) return this.elements.push({ name, attributes }) - 1;
    const known = this.known.get(`element ${name}`);
    if (known !== undefined) return known;
    this.known.set(`element ${name}`, this.elements.length);
    return this.elements.push({ name, attributes }) - 1;
  }

  /** Returns the values of one attribute, latest first. */
  private values(key: string, chain: number, limit: number): Attribute[] {
    const { sequence } = this;
    const found: Attribute[] = [];
    for (let token = sequence.head(chain); token !== none; token = sequence.next[token] ?? none) {
      if (sequence.kind[token] !== tokenKind.value) continue;
      const died = Math.min(sequence.died[token] ?? never, limit);
      const born = sequence.born[token] ?? 0;
      found.push({ key, value: sequence.contentOf(token)?.value, born, died });
      this.place(born, died);
    }
    return found.reverse();
  }
}

/** Lays out a sequence in page order. `authors` holds the author of each revision. */
export function columnsOf(sequence: Sequence, authors: ArrayLike<number>): ColumnarHistory {
  return new ColumnsBuilder(sequence, authors, authors.length).columns(sequence.root("default"));
}
