const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

/** Returns the length of a colour table, from its packed byte. */
const coloursOf = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

/** Returns the position after a GIF's sub-blocks, which end with an empty sub-block. */
function behindBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += size + 1;
  return at + 1;
}

/** Whether a GIF contains only the data that shows its pixels. */
export function isGifAlone(bytes: Buffer): boolean {
  let at = 13 + coloursOf(bytes[10] ?? 0);
  while (at < bytes.length) {
    const sign = bytes[at];
    if (sign === 0x3b) return at + 1 === bytes.length;
    if (sign === 0x2c) at = behindBlocks(bytes, at + 11 + coloursOf(bytes[at + 9] ?? 0));
    else if (sign === 0x21 && bytes[at + 1] === 0xf9) at = behindBlocks(bytes, at + 2);
    // This extension holds the loop count.
    else if (sign === 0x21 && ascii(bytes, at + 3, at + 14) === "NETSCAPE2.0")
      at = behindBlocks(bytes, at + 2);
    else return false;
  }
  return false;
}
