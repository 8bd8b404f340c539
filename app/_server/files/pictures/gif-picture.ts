const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

/** How long a table of colours is, by the byte that says so. */
const coloursOf = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

/** Behind the blocks of a GIF that follow each other, the last of which is empty. */
function behindBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += size + 1;
  return at + 1;
}

/** Whether a GIF has nothing but the parts that show its pixels. */
export function isGifAlone(bytes: Buffer): boolean {
  let at = 13 + coloursOf(bytes[10] ?? 0);
  while (at < bytes.length) {
    const sign = bytes[at];
    if (sign === 0x3b) return at + 1 === bytes.length;
    if (sign === 0x2c) at = behindBlocks(bytes, at + 11 + coloursOf(bytes[at + 9] ?? 0));
    else if (sign === 0x21 && bytes[at + 1] === 0xf9) at = behindBlocks(bytes, at + 2);
    // How often it is played.
    else if (sign === 0x21 && ascii(bytes, at + 3, at + 14) === "NETSCAPE2.0")
      at = behindBlocks(bytes, at + 2);
    else return false;
  }
  return false;
}
