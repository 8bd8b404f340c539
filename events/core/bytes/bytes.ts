/** Thrown for malformed bytes: the data ends too early, or a number is out of range. */
export class BytesError extends Error {
  override readonly name = "BytesError";
}

/** Reads lib0's variable-length integers and byte runs with bounds checks. */
export class ByteReader {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  get done(): boolean {
    return this.position >= this.bytes.length;
  }

  byte(): number {
    const value = this.bytes[this.position];
    if (value === undefined) throw new BytesError("Unexpected end of data");
    this.position += 1;
    return value;
  }

  varUint(): number {
    const first = this.bytes[this.position];
    if (first !== undefined && first < 0x80) {
      this.position += 1;
      return first;
    }
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw new BytesError("Number is out of range");
      if (byte < 0x80) return value;
      factor *= 128;
      if (factor > 2 ** 56) throw new BytesError("Number has too many bytes");
    }
  }

  varInt(): number {
    const first = this.byte();
    const sign = (first & 0x40) === 0 ? 1 : -1;
    let value = first & 0x3f;
    if (first < 0x80) return sign * value;
    let factor = 64;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw new BytesError("Number is out of range");
      if (byte < 0x80) return sign * value;
      factor *= 128;
      if (factor > 2 ** 56) throw new BytesError("Number has too many bytes");
    }
  }

  /** Reads the next `length` bytes as a view. */
  take(length: number): Uint8Array {
    const end = this.position + length;
    if (end > this.bytes.length) throw new BytesError("Unexpected end of data");
    const view = this.bytes.subarray(this.position, end);
    this.position = end;
    return view;
  }

  /** Reads a length-prefixed byte run as a view. */
  block(): Uint8Array {
    return this.take(this.varUint());
  }
}

/** Writes the format that `ByteReader` reads. */
export class ByteWriter {
  private buffer = new Uint8Array(64);
  length = 0;

  private reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }

  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.length] = value;
    this.length += 1;
  }

  varUint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  varInt(value: number): void {
    const sign = value < 0 ? 0x40 : 0;
    let rest = Math.abs(value);
    const more = rest >= 64 ? 0x80 : 0;
    this.byte(more | sign | (rest % 64));
    rest = Math.floor(rest / 64);
    if (more !== 0) this.varUint(rest);
  }

  write(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  block(bytes: Uint8Array): void {
    this.varUint(bytes.length);
    this.write(bytes);
  }

  /** Returns a copy of everything written so far. */
  result(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  // Faster than `every`, which calls a function for each byte.
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
