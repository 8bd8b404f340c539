/** A box of an ISO base media file. */
export type Box = { type: string; content: Buffer };

/** Thrown by a reader at the end of its bytes or at an unknown structure. */
export class UnknownForm extends Error {
  override readonly name = "UnknownForm";
}

/** Reads big-endian numbers in sequence. */
export class BoxReader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Reads a number of `bytes` bytes; zero bytes are 0. */
  number(bytes: number): number {
    const taken = this.take(bytes);
    let value = 0;
    for (const byte of taken) value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) throw new UnknownForm("number is too large");
    return value;
  }

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new UnknownForm("unexpected end of box");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  rest(): Buffer {
    return this.take(this.bytes.length - this.at);
  }

  get ended(): boolean {
    return this.at >= this.bytes.length;
  }
}

/** Returns the consecutive boxes in `bytes`. Bytes after the last complete box are ignored. */
export function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1;
    if (isLong && at + 16 > bytes.length) break;
    const head = isLong ? 16 : 8;
    // A box of size 0 extends to the end.
    const size =
      short === 0 ? bytes.length - at : isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (size < head || at + size > bytes.length) break;
    boxes.push({
      type: bytes.toString("latin1", at + 4, at + 8),
      content: bytes.subarray(at + head, at + size),
    });
    at += size;
  }
  return boxes;
}

/** Encodes a number in big-endian bytes. */
export function numberBytes(value: number, length: 1 | 2 | 3 | 4): Buffer {
  if (value >= 256 ** length) throw new UnknownForm("number is too large");
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

export function boxBytes(type: string, ...content: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(content);
  return Buffer.concat([numberBytes(whole.length + 8, 4), Buffer.from(type, "latin1"), whole]);
}

/** Encodes a box that begins with version and flags. */
export function fullBoxBytes(type: string, version: number, ...content: readonly Buffer[]): Buffer {
  return boxBytes(type, numberBytes(version, 1), numberBytes(0, 3), ...content);
}
