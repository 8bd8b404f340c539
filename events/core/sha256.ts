const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the fractional parts of some root of the first `count` primes. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const initial = fractions(8, Math.sqrt);
const constants = fractions(64, Math.cbrt);

function padded(message: Uint8Array): DataView {
  const length = (((message.length + 8) >> 6) + 1) << 6;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor((message.length * 8) / 2 ** 32));
  view.setUint32(length - 4, (message.length * 8) >>> 0);
  return view;
}

function schedule(words: Int32Array, view: DataView, block: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + i * 4);
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] ?? 0;
    const late = words[i - 2] ?? 0;
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[i] = ((words[i - 16] ?? 0) + small + (words[i - 7] ?? 0) + large) | 0;
  }
}

/** SHA-256 of some bytes (FIPS 180-4). Written out because WebCrypto is missing on a page served by plain http to another machine. */
export function sha256(message: Uint8Array): Uint8Array {
  const view = padded(message);
  const state = Int32Array.from(initial);
  const words = new Int32Array(64);
  for (let block = 0; block < view.byteLength; block += 64) {
    schedule(words, view, block);
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const large = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const first = (h + large + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + (words[i] ?? 0)) | 0;
      const small = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const second = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] ?? 0) + word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

/** The same digest by the browser's own engine where the page may use it. */
export async function digest(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // The types promise it; an insecure origin has none.
  const engine: SubtleCrypto | undefined = crypto.subtle;
  return engine ? new Uint8Array(await engine.digest("SHA-256", message)) : sha256(message);
}
