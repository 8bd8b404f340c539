import { ByteReader, BytesError } from "@/events/core/bytes/bytes";
import { structKind } from "./yjs-content";

/**
 * The kinds of content at one clock of a Yjs client. A `root` holds a tree, and a `chain` holds the
 * values of one attribute. Neither of the two has a clock.
 */
export const tokenKind = {
  char: 0,
  element: 1,
  textblock: 2,
  markBoundary: 3,
  value: 4,
  type: 5,
  empty: 6,
  unplaced: 7,
  root: 8,
  chain: 9,
} as const;

/**
 * The content of a token other than a character: an element's name, a mark's key and value, or an
 * attribute's value.
 */
export type Content = {
  kind: number;
  name: string;
  value: unknown;
  /** The kind, bytes and length of the struct, for code that writes the struct again. */
  struct: number;
  bytes: Uint8Array;
  ticks: number;
};

const sharedType = { element: 3, hook: 5, text: 6 };
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function parsed(json: string): unknown {
  return json === "undefined" ? undefined : JSON.parse(json);
}

function anyValue(reader: ByteReader): unknown {
  const tag = reader.byte();
  const float = (bytes: number) => {
    const taken = reader.take(bytes);
    return new DataView(taken.buffer, taken.byteOffset, bytes);
  };
  if (tag === 127) return undefined;
  if (tag === 126) return null;
  if (tag === 125) return reader.varInt();
  if (tag === 124) return float(4).getFloat32(0);
  if (tag === 123) return float(8).getFloat64(0);
  if (tag === 122) return Number(float(8).getBigInt64(0));
  if (tag === 121 || tag === 120) return tag === 120;
  if (tag === 119) return utf8.decode(reader.block());
  if (tag === 118)
    return Object.fromEntries(
      Array.from({ length: reader.varUint() }, () => [
        utf8.decode(reader.block()),
        anyValue(reader),
      ]),
    );
  if (tag === 117) return Array.from({ length: reader.varUint() }, () => anyValue(reader));
  if (tag === 116) return reader.block().slice();
  throw new BytesError("Unknown value tag");
}

function meaning(
  kind: number,
  bytes: Uint8Array,
): Pick<Content, "kind" | "name" | "value" | "ticks"> {
  const reader = new ByteReader(bytes);
  switch (kind) {
    case structKind.format: {
      const name = utf8.decode(reader.block());
      return {
        kind: tokenKind.markBoundary,
        name,
        value: parsed(utf8.decode(reader.block())),
        ticks: 1,
      };
    }
    case structKind.type: {
      const type = reader.varUint();
      const name =
        type === sharedType.element || type === sharedType.hook ? utf8.decode(reader.block()) : "";
      return {
        kind:
          type === sharedType.element
            ? tokenKind.element
            : type === sharedType.text
              ? tokenKind.textblock
              : tokenKind.type,
        name,
        value: null,
        ticks: 1,
      };
    }
    case structKind.any:
    case structKind.json: {
      const ticks = reader.varUint();
      let value: unknown;
      for (let left = ticks; left > 0; left -= 1)
        value = kind === structKind.any ? anyValue(reader) : parsed(utf8.decode(reader.block()));
      return { kind: tokenKind.value, name: "", value, ticks };
    }
    default:
      return { kind: tokenKind.empty, name: "", value: null, ticks: 1 };
  }
}

/** Parses the content of a struct other than strings and empty structs, from an update's bytes. */
export function readContent(struct: number, bytes: Uint8Array): Content {
  return { ...meaning(struct, bytes), struct, bytes: bytes.slice() };
}
