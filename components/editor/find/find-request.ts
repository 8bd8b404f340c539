import { isApple } from "@/components/ui/keyboard/apple";
import { isPressed } from "@/components/ui/keyboard/keys";

/** What was asked of the bar, with the number that tells the same thing asked twice apart. */
export type FindRequest = { what: "find" | "replace"; nth: number };

/** What a key asks for; null for any other key, and for who is typing. */
export function findKey(event: KeyboardEvent): FindRequest["what"] | null {
  const apple = isApple();
  if (isPressed("Mod+F", event, apple)) return "find";
  return isPressed("Mod+Shift+H", event, apple) ? "replace" : null;
}
