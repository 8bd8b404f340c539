import { lastUpTo } from "@/events/core/binary-search";
import { grown } from "@/events/core/bytes/growing";

/** The absence of a token: the beginning or end of a list. */
export const none = -1;

type ClientPieces = { client: number; pieces: number[]; last: number };

/**
 * Maps the clocks of Yjs clients to tokens. Clocks that arrived together form a piece. The clocks
 * of a `whole` piece (without any content) share one token.
 */
export class TokenIds {
  readonly clients: ClientPieces[] = [];
  private readonly numbers = new Map<number, number>();
  private count = 0;
  private token = new Uint32Array(64);
  private client = new Uint32Array(64);
  private clock: number[] = [];
  private ticks = new Uint32Array(64);
  private whole = new Uint8Array(64);

  /** Returns an independent copy of the ids. */
  copy(): TokenIds {
    const made = new TokenIds();
    for (const { pieces, ...each } of this.clients)
      made.clients.push({ ...each, pieces: [...pieces] });
    for (const [client, number] of this.numbers) made.numbers.set(client, number);
    made.count = this.count;
    made.token = this.token.slice();
    made.client = this.client.slice();
    made.clock = [...this.clock];
    made.ticks = this.ticks.slice();
    made.whole = this.whole.slice();
    return made;
  }

  /** Returns a client's number here, and assigns a number to a new client. */
  numberOf(client: number): number {
    const known = this.numbers.get(client);
    if (known !== undefined) return known;
    this.numbers.set(client, this.clients.length);
    this.clients.push({ client, pieces: [], last: 0 });
    return this.clients.length - 1;
  }

  /** Returns a client's number, or -1 if the client has no clocks. */
  knownNumber(client: number): number {
    return this.numbers.get(client) ?? -1;
  }

  /** Returns a client's first clock that is not present yet. */
  reached(number: number): number {
    const last = this.clients[number]?.pieces.at(-1);
    return last === undefined ? 0 : (this.clock[last] ?? 0) + (this.ticks[last] ?? 0);
  }

  /** Adds the client's next clocks, with one token each from `token` or one token for all. */
  add(number: number, token: number, ticks: number, whole: boolean): void {
    const held = this.clients[number];
    if (!held) return;
    const clock = this.reached(number);
    const before = held.pieces.at(-1);
    if (
      before !== undefined &&
      before === this.count - 1 &&
      !whole &&
      this.whole[before] === 0 &&
      (this.token[before] ?? 0) + (this.ticks[before] ?? 0) === token
    ) {
      this.ticks[before] = (this.ticks[before] ?? 0) + ticks;
      return;
    }
    held.pieces.push(this.push(number, token, clock, ticks, whole));
  }

  /** Returns the piece that holds a clock, or -1. */
  pieceAt(number: number, clock: number): number {
    const held = this.clients[number];
    if (!held) return -1;
    const { pieces } = held;
    const near = pieces[held.last];
    if (near !== undefined && this.holds(near, clock)) return near;
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.clock[pieces[middle] ?? 0] ?? 0) <= clock) low = middle + 1;
      else high = middle;
    }
    const found = pieces[low - 1];
    if (found === undefined || !this.holds(found, clock)) return -1;
    held.last = low - 1;
    return found;
  }

  /** Returns a piece's first clock, length and first token, and whether it has only that token. */
  piece(index: number): { clock: number; ticks: number; token: number; whole: boolean } {
    return {
      clock: this.clock[index] ?? 0,
      ticks: this.ticks[index] ?? 0,
      token: this.token[index] ?? 0,
      whole: this.whole[index] === 1,
    };
  }

  /** Returns the token of a clock, or -1. A whole piece has one token for all its clocks. */
  tokenAt(number: number, clock: number): number {
    const piece = this.pieceAt(number, clock);
    if (piece < 0) return -1;
    return (
      (this.token[piece] ?? 0) + (this.whole[piece] === 1 ? 0 : clock - (this.clock[piece] ?? 0))
    );
  }

  /**
   * Returns a token's piece: its first token, its number of tokens, and the client number and clock
   * of the first token.
   */
  pieceOf(token: number): { token: number; tokens: number; number: number; clock: number } {
    const index = lastUpTo(this.token, token, this.count);
    const tokens = this.whole[index] === 1 ? 1 : (this.ticks[index] ?? 0);
    return {
      token: this.token[index] ?? 0,
      tokens,
      number: this.client[index] ?? 0,
      clock: this.clock[index] ?? 0,
    };
  }

  /** Whether a token represents many clocks or none. */
  isWhole(token: number): boolean {
    const index = lastUpTo(this.token, token, this.count);
    if (index < 0 || this.whole[index] === 1) return true;
    return token >= (this.token[index] ?? 0) + (this.ticks[index] ?? 0);
  }

  /** Splits a whole piece before a clock. `token` is the token of the rest. */
  cut(number: number, index: number, clock: number, token: number): void {
    const held = this.clients[number];
    if (!held) return;
    const { clock: start, ticks } = this.piece(index);
    this.ticks[index] = clock - start;
    held.pieces.splice(
      held.pieces.indexOf(index) + 1,
      0,
      this.push(number, token, clock, ticks - (clock - start), true),
    );
  }

  /** Returns a token's client number and clock. The token of a whole piece has its first clock. */
  idOf(token: number): { number: number; clock: number } {
    const index = lastUpTo(this.token, token, this.count);
    return {
      number: this.client[index] ?? 0,
      clock:
        (this.clock[index] ?? 0) + (this.whole[index] === 1 ? 0 : token - (this.token[index] ?? 0)),
    };
  }

  private holds(index: number, clock: number): boolean {
    const start = this.clock[index] ?? 0;
    return clock >= start && clock < start + (this.ticks[index] ?? 0);
  }

  private push(
    number: number,
    token: number,
    clock: number,
    ticks: number,
    whole: boolean,
  ): number {
    const index = this.count;
    this.count += 1;
    this.token = grown(this.token, this.count);
    this.client = grown(this.client, this.count);
    this.ticks = grown(this.ticks, this.count);
    this.whole = grown(this.whole, this.count);
    this.token[index] = token;
    this.client[index] = number;
    this.clock[index] = clock;
    this.ticks[index] = ticks;
    this.whole[index] = whole ? 1 : 0;
    return index;
  }
}
