/** A shortcut such as `Mod+Shift+L`: `Mod` is ⌘ on Apple devices and Ctrl elsewhere. */
export type Keys = string;

type Pressed = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing"
> & { getModifierState: (key: "AltGraph") => boolean };

/** The symbols of keys on every keyboard. */
const commonGlyphs = { Enter: "↵", ArrowUp: "↑", ArrowDown: "↓" };
const appleGlyphs: Readonly<Record<string, string>> = {
  ...commonGlyphs,
  Mod: "⌘",
  Alt: "⌥",
  Shift: "⇧",
};
const glyphs: Readonly<Record<string, string>> = { ...commonGlyphs, Mod: "Ctrl", Delete: "Del" };
/** The order in which Apple devices show modifiers. */
const appleOrder = ["Alt", "Shift", "Mod"];

/** Returns the parts of a shortcut in the symbols of the keyboard. */
export function shownKeys(keys: Keys, apple: boolean): string[] {
  const parts = keys.split("+");
  const last = parts.pop() ?? "";
  const held = apple ? appleOrder.filter((part) => parts.includes(part)) : parts;
  const names = apple ? appleGlyphs : glyphs;
  return [...held, last].map((part) => names[part] ?? part);
}

/** Whether an event is the key press of a shortcut. */
export function isPressed(keys: Keys, event: Pressed, apple: boolean): boolean {
  // AltGr is reported as Ctrl+Alt, but types a character.
  if (event.isComposing || event.getModifierState("AltGraph")) return false;
  const parts = keys.split("+");
  const last = (parts.pop() ?? "").toLowerCase();
  const mod = parts.includes("Mod");
  if (event.metaKey !== (mod && apple) || event.ctrlKey !== (mod && !apple)) return false;
  if (event.altKey !== parts.includes("Alt")) return false;
  const letter = /^[a-z]$/.test(last);
  // Whether a character needs Shift depends on the layout, so Shift is then ignored.
  if ((letter || last.length > 1) && event.shiftKey !== parts.includes("Shift")) return false;
  // With Alt, and on non-Latin layouts, only `code` identifies a letter.
  const latin = /^[a-z]$/i.test(event.key) && !event.altKey;
  if (letter && !latin) return event.code === `Key${last.toUpperCase()}`;
  return event.key.toLowerCase() === last;
}
