/** Decodes standard base64. Throws on any other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const alphabet = new TextEncoder().encode(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
);
const padding = 64;
const ascii = new TextDecoder();

/** Encodes bytes as standard base64 without line breaks. */
export function toBase64(bytes: Uint8Array): string {
  // Written by hand: `btoa` needs a binary string, and building that string takes six times as
  // long, which is noticeable for files and images.
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  const write = (at: number, index: number) => (text[at] = alphabet[index] ?? 0);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const left = bytes.length - from;
    const group =
      ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    write(to, group >> 18);
    write(to + 1, (group >> 12) & 63);
    write(to + 2, left > 1 ? (group >> 6) & 63 : padding);
    write(to + 3, left > 2 ? group & 63 : padding);
  }
  return ascii.decode(text);
}
