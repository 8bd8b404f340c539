import { isApple } from "@/components/ui/keyboard/apple";
import { isPressed } from "@/components/ui/keyboard/keys";

/** A request to open the bar, numbered so that a repeated request counts as new. */
export type FindRequest = { what: "find" | "replace"; nth: number };

/** Returns the request of a key press, or null for any other key. */
export function findKey(event: KeyboardEvent): FindRequest["what"] | null {
  const apple = isApple();
  if (isPressed("Mod+F", event, apple)) return "find";
  return isPressed("Mod+Shift+H", event, apple) ? "replace" : null;
}
