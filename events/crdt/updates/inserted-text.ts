import { ByteReader } from "@/events/core/bytes/bytes";
import { structKind } from "./yjs-content";
import { kindOf, readUpdate } from "./yjs-update";

/** Returns the characters that an update inserts, in struct order, wherever their places are. */
export function insertedText(update: Uint8Array): string {
  return readUpdate(update)
    .blocks.flatMap(({ structs }) => structs)
    .filter((struct) => kindOf(struct) === structKind.string)
    .map(({ content }) => new TextDecoder().decode(new ByteReader(content).block()))
    .join("");
}

/** Returns the texts in the values of an update's marks: the addresses of its links. */
export function markedTexts(update: Uint8Array): string[] {
  return readUpdate(update)
    .blocks.flatMap(({ structs }) => structs)
    .filter((struct) => kindOf(struct) === structKind.format)
    .flatMap(({ content }) => {
      const reader = new ByteReader(content);
      reader.block();
      return textsIn(new TextDecoder().decode(reader.block()));
    });
}

function textsIn(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null
      ? Object.values(value).filter((text) => typeof text === "string")
      : [];
  } catch (error) {
    // A value that is not JSON is never displayed.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
