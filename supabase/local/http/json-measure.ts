/** The size of a JSON text when parsed. */
type JsonMeasure = {
  /** The nesting depth of the arrays and objects; 1 for a flat array or object. */
  depth: number;
  /** The number of elements and members on all levels. */
  values: number;
  /** The number of object members on all levels. A parser has to look up each name. */
  members: number;
  /** The number of elements or members of the outermost array or object. */
  outermost: number;
};

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A text that exceeds these limits is refused, so measuring stops there. */
type Bounds = Pick<JsonMeasure, "depth" | "values">;

const unbounded: Bounds = { depth: Infinity, values: Infinity };

/**
 * Measures a JSON text in one pass over its bytes, without parsing. UTF-8 never uses the bytes of
 * JSON's punctuation inside a character. For invalid JSON the measure is meaningless, but
 * `JSON.parse` stops at the first error. The pass ends where the text exceeds `most`.
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

/** Returns the position of a string's closing quote, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
