const rotate = (word: number, by: number) => (word << by) | (word >>> (32 - by));

/** SHA-1 of some bytes, as RFC 3174. Written out because WebCrypto is missing on a page served by plain http to another machine. */
export function sha1(message: Uint8Array): Uint8Array {
  const length = (((message.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(length);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor((message.length * 8) / 2 ** 32));
  view.setUint32(length - 4, (message.length * 8) >>> 0);

  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Int32Array(80);
  for (let block = 0; block < length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + i * 4);
    for (let i = 16; i < 80; i++) {
      words[i] = rotate(
        (words[i - 3] ?? 0) ^ (words[i - 8] ?? 0) ^ (words[i - 14] ?? 0) ^ (words[i - 16] ?? 0),
        1,
      );
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
    for (let i = 0; i < 80; i++) {
      const [mix, constant] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      const next = (rotate(a, 5) + mix + e + constant + (words[i] ?? 0)) | 0;
      e = d;
      d = c;
      c = rotate(b, 30);
      b = a;
      a = next;
    }
    [a, b, c, d, e].forEach((word, i) => (state[i] = (state[i] ?? 0) + word));
  }

  const digest = new DataView(new ArrayBuffer(20));
  state.forEach((word, i) => digest.setInt32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

const hex = (byte: number) => byte.toString(16).padStart(2, "0");

/** Derives a UUID (version 5, RFC 9562) from a namespace UUID and a name: the same two always give the same one. */
export function uuidV5(namespace: string, name: string): string {
  const digits = namespace.replaceAll("-", "");
  if (!/^[0-9a-f]{32}$/i.test(digits)) throw new Error(`Not a UUID: ${namespace}`);
  const space = Uint8Array.from({ length: 16 }, (_, i) =>
    parseInt(digits.slice(i * 2, i * 2 + 2), 16),
  );
  const text = new TextEncoder().encode(name);
  const message = new Uint8Array(16 + text.length);
  message.set(space);
  message.set(text, 16);
  const bytes = sha1(message).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const out = Array.from(bytes, hex).join("");
  return `${out.slice(0, 8)}-${out.slice(8, 12)}-${out.slice(12, 16)}-${out.slice(16, 20)}-${out.slice(20)}`;
}
