/** PNG chunks that define how to show the pixels, with their maximum length. IEND is the last. */
const pngParts = new Map([
  ["IHDR", 13],
  ["PLTE", 768],
  ["IDAT", Infinity],
  ["IEND", 0],
  ["tRNS", 256],
  ["gAMA", 4],
  ["cHRM", 32],
  ["sRGB", 1],
  ["iCCP", Infinity],
  ["sBIT", 4],
  ["bKGD", 6],
  ["pHYs", 9],
  ["cICP", 4],
]);

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

/** Whether a PNG contains only the data that shows its pixels. */
export function isPngAlone(bytes: Buffer): boolean {
  const met = new Set<string>();
  let at = 8;
  while (at + 12 <= bytes.length) {
    const part = ascii(bytes, at + 4, at + 8);
    const length = bytes.readUInt32BE(at);
    // A repeated or oversized chunk could carry other data.
    if (length > (pngParts.get(part) ?? -1) || (met.has(part) && part !== "IDAT")) return false;
    met.add(part);
    at += 12 + length;
    if (part === "IEND") return at === bytes.length;
  }
  return false;
}
