import { readContent } from "./token-content";
import { structKind } from "./yjs-content";
import { kindOf } from "./yjs-update";
import type { Id, UpdateParts } from "./yjs-update";

/**
 * A text that an edit sets as a node's attribute. `key` is null if the text replaces a value from
 * before these edits, because such a struct names its predecessor instead of the attribute.
 */
type AttributeText = Id & { key: string | null; text: string };

const utf8 = new TextDecoder();
const nameOf = ({ client, clock }: Id) => `${client}:${clock}`;

/** Returns the texts that edits set as attributes of nodes, in struct order. */
export function attributeTexts(edits: readonly UpdateParts[]): AttributeText[] {
  const keys = new Map<string, string>();
  const found: AttributeText[] = [];
  for (const { client, structs } of edits.flatMap(({ blocks }) => blocks))
    for (const struct of structs) {
      const { clock, length, parentSub, origin } = struct;
      const key = parentSub
        ? utf8.decode(parentSub)
        : ((origin && keys.get(nameOf(origin))) ?? null);
      if (key !== null) keys.set(nameOf({ client, clock: clock + length - 1 }), key);
      if (kindOf(struct) !== structKind.any) continue;
      const { value } = readContent(structKind.any, struct.content);
      if (typeof value === "string" && value !== "")
        found.push({ client, clock, key, text: value });
    }
  return found;
}
