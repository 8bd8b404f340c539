/** How much a JSON text expands to when it is parsed. */
type JsonMeasure = {
  /** How deep its arrays and objects nest; 1 for a flat one. */
  depth: number;
  /** Its elements and members on all levels. */
  values: number;
  /** The members of its objects on all levels: each is a name that a parser has to look up. */
  members: number;
  /** The elements or members of its outermost array or object. */
  outermost: number;
};

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Beyond these a text is refused, however it goes on. */
type Bounds = Pick<JsonMeasure, "depth" | "values">;

const unbounded: Bounds = { depth: Infinity, values: Infinity };

/**
 * Measures a JSON text by one pass over its bytes, without parsing it. UTF-8 never uses the bytes
 * of JSON's punctuation within a character. The measure of a text that is not JSON says nothing,
 * except that `JSON.parse` stops at its first error. The pass ends where the text exceeds `most`.
 */
export function measureJson(bytes: Uint8Array, most: Bounds = unbounded): JsonMeasure {
  let [depth, deepest, values, members, outermost] = [0, 0, 0, 0, 0];
  let isOpened = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) continue;
    const isClose = byte === closeArray || byte === closeObject;
    if (byte === comma || (isOpened && !isClose)) {
      values += 1;
      if (depth === 1) outermost += 1;
    }
    if (values > most.values || depth > most.depth) break;
    if (byte === colon) members += 1;
    isOpened = byte === openArray || byte === openObject;
    if (isOpened) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (isClose) depth -= 1;
    else if (byte === quote) at = endOfString(bytes, at);
  }
  return { depth: deepest, values, members, outermost };
}

/** Where the string that begins at `start` has its closing quote, or where the text ends. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
