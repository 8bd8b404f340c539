import { BytesError } from "@/events/core/bytes/bytes";
import type { ByteReader } from "@/events/core/bytes/bytes";

/** The kinds of structs in a Yjs v1 update: the low five bits of a struct's info byte. */
export const structKind = {
  gc: 0,
  deleted: 1,
  json: 2,
  binary: 3,
  string: 4,
  embed: 5,
  format: 6,
  type: 7,
  any: 8,
  skip: 10,
} as const;

export const maxNesting = 64;
const maxLength = 2 ** 31;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/** Counts the UTF-16 units in UTF-8 bytes, which is the length of a string in Yjs. */
export function utf16Length(bytes: Uint8Array): number {
  let units = 0;
  let ascii = true;
  for (const byte of bytes) {
    if (byte < 0x80) units += 1;
    else {
      ascii = false;
      if (byte >= 0xf0) units += 2;
      else if (byte >= 0xc0) units += 1;
    }
  }
  if (!ascii) decodeText(bytes);
  return units;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BytesError("String is not valid UTF-8");
  }
}

/** Returns a key's text. Throws BytesError on a key that an object cannot hold safely. */
export function safeKey(bytes: Uint8Array): string {
  const key = decodeText(bytes);
  if (forbiddenKeys.has(key)) throw new BytesError(`Forbidden key: ${key}`);
  return key;
}

function checkPlain(value: unknown, depth: number): void {
  if (depth > maxNesting) throw new BytesError("Value is nested too deeply");
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (forbiddenKeys.has(key)) throw new BytesError(`Forbidden key: ${key}`);
    checkPlain(inner, depth + 1);
  }
}

function checkJson(bytes: Uint8Array): void {
  const text = decodeText(bytes);
  if (text === "undefined" || text === "null") return;
  let depth = 0;
  for (const letter of text) {
    if (letter === "[" || letter === "{") depth += 1;
    if (depth > maxNesting * 4) throw new BytesError("Value is nested too deeply");
    if (letter === "]" || letter === "}") depth -= 1;
  }
  try {
    checkPlain(JSON.parse(text), 0);
  } catch (error) {
    if (error instanceof BytesError) throw error;
    throw new BytesError("Value is not valid JSON");
  }
}

function skipAny(reader: ByteReader, depth: number): void {
  if (depth > maxNesting) throw new BytesError("Value is nested too deeply");
  const tag = reader.byte();
  if (tag === 125) reader.varInt();
  else if (tag === 124) reader.take(4);
  else if (tag === 123 || tag === 122) reader.take(8);
  else if (tag === 119) decodeText(reader.block());
  else if (tag === 118) {
    for (let left = reader.varUint(); left > 0; left -= 1) {
      safeKey(reader.block());
      skipAny(reader, depth + 1);
    }
  } else if (tag === 117) {
    for (let left = reader.varUint(); left > 0; left -= 1) skipAny(reader, depth + 1);
  } else if (tag === 116) reader.block();
  else if (tag !== 127 && tag !== 126 && tag !== 121 && tag !== 120) {
    throw new BytesError("Unknown value tag");
  }
}

/** Moves the reader past a struct's content and returns the struct's length in clocks. */
export function skipContent(reader: ByteReader, kind: number): number {
  switch (kind) {
    case structKind.gc:
    case structKind.skip:
    case structKind.deleted: {
      const length = reader.varUint();
      if (length === 0 || length > maxLength) throw new BytesError("Invalid struct length");
      return length;
    }
    case structKind.string: {
      const length = utf16Length(reader.block());
      if (length === 0) throw new BytesError("String is empty");
      return length;
    }
    case structKind.binary:
      reader.block();
      return 1;
    case structKind.embed:
      checkJson(reader.block());
      return 1;
    case structKind.format:
      safeKey(reader.block());
      checkJson(reader.block());
      return 1;
    case structKind.type: {
      const type = reader.varUint();
      if (type > 6) throw new BytesError("Unknown shared type");
      if (type === 3 || type === 5) safeKey(reader.block());
      return 1;
    }
    case structKind.json:
    case structKind.any: {
      const count = reader.varUint();
      if (count === 0) throw new BytesError("List of values is empty");
      for (let left = count; left > 0; left -= 1) {
        if (kind === structKind.any) skipAny(reader, 0);
        else checkJson(reader.block());
      }
      return count;
    }
    default:
      throw new BytesError("Unknown struct kind");
  }
}
