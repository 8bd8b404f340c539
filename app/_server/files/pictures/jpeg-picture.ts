const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

/** Whether a JPEG segment before the pixels only defines how to decode or show them. */
function isJpegPart(marker: number, bytes: Buffer, from: number, length: number): boolean {
  if (marker === 0xe0) return length === 16 && ascii(bytes, from, from + 5) === "JFIF\0";
  if (marker === 0xe2) return ascii(bytes, from, from + 12) === "ICC_PROFILE\0";
  if (marker === 0xee) return length === 14 && ascii(bytes, from, from + 5) === "Adobe";
  return [0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd].includes(marker);
}

/** Returns where coded pixels end: at the next marker that is not part of them. */
function pixelsEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/** Whether a JPEG contains only the data that shows its pixels. */
export function isJpegAlone(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (!isJpegPart(marker, bytes, at + 4, length)) return false;
    at += 2 + length;
    if (marker === 0xda) at = pixelsEnd(bytes, at);
  }
  return at + 2 === bytes.length && bytes.readUInt16BE(at) === 0xffd9;
}
