/** A set of integers below `size` with fast lookup of neighbours, also if the set is sparse. */
export class StandingSet {
  // Each bit of a level is set if any of the corresponding 32 bits of the level below is set.
  private readonly levels: Uint32Array[] = [];

  constructor(size: number) {
    let words = Math.max(1, Math.ceil(size / 32));
    this.levels.push(new Uint32Array(words));
    while (words > 1) {
      words = Math.ceil(words / 32);
      this.levels.push(new Uint32Array(words));
    }
  }

  has(value: number): boolean {
    return (((this.levels[0]?.[value >>> 5] ?? 0) >>> (value & 31)) & 1) === 1;
  }

  add(value: number): void {
    let at = value;
    for (const level of this.levels) {
      level[at >>> 5] = (level[at >>> 5] ?? 0) | (1 << (at & 31));
      at >>>= 5;
    }
  }

  delete(value: number): void {
    let at = value;
    for (const level of this.levels) {
      const left = (level[at >>> 5] ?? 0) & ~(1 << (at & 31));
      level[at >>> 5] = left;
      if (left !== 0) return;
      at >>>= 5;
    }
  }

  /** Returns the member before a value, or -1 if there is none. */
  before(value: number): number {
    let at = value;
    for (let depth = 0; depth < this.levels.length; depth += 1) {
      const bit = at & 31;
      const word =
        (this.levels[depth]?.[at >>> 5] ?? 0) & (bit === 0 ? 0 : 0xffff_ffff >>> (32 - bit));
      if (word !== 0) return this.down(depth, (at & ~31) | (31 - Math.clz32(word)), true);
      at >>>= 5;
    }
    return -1;
  }

  /** Returns the member after a value, or -1 if there is none. */
  after(value: number): number {
    let at = value;
    for (let depth = 0; depth < this.levels.length; depth += 1) {
      const bit = at & 31;
      const word =
        (this.levels[depth]?.[at >>> 5] ?? 0) & (bit === 31 ? 0 : 0xffff_ffff << (bit + 1));
      if (word !== 0) return this.down(depth, (at & ~31) | lowest(word), false);
      at >>>= 5;
    }
    return -1;
  }

  private down(from: number, found: number, last: boolean): number {
    let at = found;
    for (let depth = from - 1; depth >= 0; depth -= 1) {
      const word = this.levels[depth]?.[at] ?? 0;
      at = at * 32 + (last ? 31 - Math.clz32(word) : lowest(word));
    }
    return at;
  }
}

function lowest(word: number): number {
  return 31 - Math.clz32(word & -word);
}
