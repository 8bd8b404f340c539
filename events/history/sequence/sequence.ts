import { grown } from "@/events/core/bytes/growing";
import { never } from "@/events/crdt/updates/lifespans";
import { tokenKind } from "@/events/crdt/updates/token-content";
import type { Content } from "@/events/crdt/updates/token-content";
import { insertionPoint } from "./insertion-point";
import { none, TokenIds } from "./token-ids";

/**
 * All content that was ever written into a document, as lists of tokens in Yjs's order. Each clock
 * of each Yjs client has one token, with the revisions of its insertion and deletion. Tokens are
 * never removed, so their order never changes, and one number identifies a token.
 */
export class Sequence {
  ids = new TokenIds();
  length = 0;
  next = new Int32Array(64);
  /** The neighbours that the writer saw, by which Yjs resolves concurrent insertions. */
  origin = new Int32Array(64);
  right = new Int32Array(64);
  /** A token's list: the token of its parent, or of the parent's attribute. */
  parent = new Int32Array(64);
  born = new Uint32Array(64);
  died = new Uint32Array(64);
  unit = new Uint16Array(64);
  kind = new Uint8Array(64);
  private readonly heads = new Map<number, number>();
  private readonly contents = new Map<number, Content>();
  private readonly roots = new Map<string, number>();
  private readonly chains = new Map<string, number>();
  private readonly chainsOf = new Map<number, { key: string; chain: number }[]>();

  constructor() {
    // Created up front, so that token numbers do not depend on the first use of the root.
    this.root("default");
  }

  /** Returns an independent copy of the sequence. */
  copy(): Sequence {
    const made = new Sequence();
    made.ids = this.ids.copy();
    made.length = this.length;
    made.next = this.next.slice();
    made.origin = this.origin.slice();
    made.right = this.right.slice();
    made.parent = this.parent.slice();
    made.born = this.born.slice();
    made.died = this.died.slice();
    made.unit = this.unit.slice();
    made.kind = this.kind.slice();
    for (const [list, head] of this.heads) made.heads.set(list, head);
    for (const [token, content] of this.contents) made.contents.set(token, content);
    for (const [name, token] of this.roots) made.roots.set(name, token);
    for (const [name, token] of this.chains) made.chains.set(name, token);
    for (const [parent, chains] of this.chainsOf) made.chainsOf.set(parent, chains);
    return made;
  }

  /** Returns the token of a root's list, by the root's name. */
  root(name: string): number {
    return this.roots.get(name) ?? this.listed(this.roots, name, tokenKind.root);
  }

  /** Returns the token of the list of all values that one attribute of a parent ever had. */
  chain(parent: number, key: string): number {
    const name = `${parent} ${key}`;
    const known = this.chains.get(name);
    if (known !== undefined) return known;
    const chain = this.listed(this.chains, name, tokenKind.chain);
    this.parent[chain] = parent;
    this.chainsOf.set(parent, [...(this.chainsOf.get(parent) ?? []), { key, chain }]);
    return chain;
  }

  /** Returns the attributes that a token ever had. */
  attributesOf(token: number): readonly { key: string; chain: number }[] {
    return this.chainsOf.get(token) ?? [];
  }

  /** Returns the roots' names by their tokens. */
  rootNames(): Map<number, string> {
    return new Map([...this.roots].map(([name, token]) => [token, name]));
  }

  /** Returns the attribute whose values a chain holds. */
  keyOf(chain: number): string {
    return (
      this.attributesOf(this.parent[chain] ?? none).find((each) => each.chain === chain)?.key ?? ""
    );
  }

  head(list: number): number {
    return this.heads.get(list) ?? none;
  }

  contentOf(token: number): Content | undefined {
    return this.contents.get(token);
  }

  /** Returns the list of a token with these neighbours, or `none` if Yjs would discard it. */
  listOf(left: number, right: number): number {
    if (
      (left !== none && this.kind[left] === tokenKind.unplaced) ||
      (right !== none && this.kind[right] === tokenKind.unplaced)
    )
      return none;
    return this.parent[left !== none ? left : right] ?? none;
  }

  /** Whether a token can contain other tokens. */
  holds(token: number): boolean {
    const kind = this.kind[token];
    return (
      kind === tokenKind.element ||
      kind === tokenKind.textblock ||
      kind === tokenKind.type ||
      kind === tokenKind.root
    );
  }

  /** Adds a client's next characters, all at one revision, or one revision each if `each` is 1. */
  write(
    number: number,
    list: number,
    origin: number,
    right: number,
    text: string,
    revision: number,
    each: 0 | 1 = 0,
  ): number {
    const first = this.reserve(text.length);
    for (let at = 0; at < text.length; at += 1) this.unit[first + at] = text.charCodeAt(at);
    this.place(number, list, origin, right, first, text.length, tokenKind.char, revision, each);
    this.ids.add(number, first, text.length, false);
    return first;
  }

  /** Adds a client's next `ticks` clocks with the same content. */
  put(
    number: number,
    list: number,
    origin: number,
    right: number,
    ticks: number,
    content: Content,
    revision: number,
  ): number {
    const first = this.reserve(ticks);
    for (let at = first; at < first + ticks; at += 1) this.contents.set(at, content);
    this.place(number, list, origin, right, first, ticks, content.kind, revision);
    this.ids.add(number, first, ticks, false);
    return first;
  }

  /** Adds a client's next `ticks` clocks without content, which was deleted before it was sent. */
  leaveEmpty(
    number: number,
    list: number,
    origin: number,
    right: number,
    ticks: number,
    revision: number,
  ): number {
    const first = this.reserve(1);
    this.place(number, list, origin, right, first, 1, tokenKind.empty, revision);
    this.died[first] = revision;
    this.ids.add(number, first, ticks, true);
    return first;
  }

  /** Marks a client's range as deleted, except where it already is. */
  erase(number: number, clock: number, length: number, revision: number): void {
    for (let at = clock; at < clock + length;) {
      const index = this.ids.pieceAt(number, at);
      if (index < 0) return;
      const piece = this.ids.piece(index);
      const end = Math.min(clock + length, piece.clock + piece.ticks);
      if (!piece.whole) {
        for (
          let token = piece.token + at - piece.clock;
          token < piece.token + end - piece.clock;
          token += 1
        )
          this.kill(token, revision);
      }
      at = end;
    }
  }

  /** Returns the token that ends with a clock. Splits a token of many clocks there. */
  endingAt(number: number, clock: number): number {
    this.cutBefore(number, clock + 1);
    return this.ids.tokenAt(number, clock);
  }

  /** Returns the token that begins with a clock. Splits a token of many clocks there. */
  beginningAt(number: number, clock: number): number {
    this.cutBefore(number, clock);
    return this.ids.tokenAt(number, clock);
  }

  private cutBefore(number: number, clock: number): void {
    const index = this.ids.pieceAt(number, clock);
    if (index < 0) return;
    const { whole, clock: start, token } = this.ids.piece(index);
    if (!whole || start === clock) return;
    const rest = this.reserve(1);
    for (const column of [this.next, this.right, this.parent, this.born, this.died, this.kind])
      column[rest] = column[token] ?? 0;
    // Tokens inserted after this token's last clock are now inserted after the rest.
    for (
      let at = this.origin.indexOf(token);
      at >= 0 && at < rest;
      at = this.origin.indexOf(token, at + 1)
    )
      this.origin[at] = rest;
    this.origin[rest] = token;
    if (this.kind[token] !== tokenKind.unplaced) this.next[token] = rest;
    this.ids.cut(number, index, clock, rest);
  }

  kill(token: number, revision: number): void {
    if (this.died[token] === never) this.died[token] = revision;
  }

  private listed(names: Map<string, number>, name: string, kind: number): number {
    const token = this.reserve(1);
    names.set(name, token);
    this.kind[token] = kind;
    this.parent[token] = none;
    this.died[token] = never;
    return token;
  }

  /** Allocates tokens and returns the first of them. */
  private reserve(count: number): number {
    const first = this.length;
    this.length += count;
    if (this.length > this.next.length) {
      this.next = grown(this.next, this.length);
      this.origin = grown(this.origin, this.length);
      this.right = grown(this.right, this.length);
      this.parent = grown(this.parent, this.length);
      this.born = grown(this.born, this.length);
      this.died = grown(this.died, this.length);
      this.unit = grown(this.unit, this.length);
      this.kind = grown(this.kind, this.length);
    }
    return first;
  }

  private place(
    number: number,
    list: number,
    origin: number,
    right: number,
    first: number,
    count: number,
    kind: number,
    revision: number,
    each = 0,
  ): void {
    const last = first + count - 1;
    const unplaced = list === none;
    for (let token = first; token <= last; token += 1) {
      this.next[token] = token + 1;
      this.origin[token] = token - 1;
      this.right[token] = right;
      this.parent[token] = list;
      this.born[token] = revision + (token - first) * each;
      this.died[token] = unplaced ? revision : never;
      this.kind[token] = unplaced ? tokenKind.unplaced : kind;
    }
    this.origin[first] = origin;
    this.next[last] = none;
    if (unplaced) return;
    const left = insertionPoint(this, number, list, origin, right);
    this.next[last] = left === none ? this.head(list) : (this.next[left] ?? none);
    if (left === none) this.heads.set(list, first);
    else this.next[left] = first;
    if (this.kind[list] === tokenKind.chain) this.succeed(left, first, last, revision);
  }

  /** Leaves only the last of an attribute's values standing. */
  private succeed(left: number, first: number, last: number, revision: number): void {
    if (this.next[last] === none) {
      if (left !== none) this.kill(left, revision);
    } else for (let token = first; token <= last; token += 1) this.kill(token, revision);
  }
}
