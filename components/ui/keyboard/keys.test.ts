import { describe, expect, it } from "vitest";
import { isPressed, shownKeys } from "./keys";

const plain = {
  key: "",
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  getModifierState: () => false,
};
type Change = Partial<typeof plain>;
const pressed = (keys: string, change: Change, apple = false) =>
  isPressed(keys, { ...plain, ...change }, apple);

describe("keys", () => {
  it("[KEYS-2] are shown as on the reader’s keyboard", () => {
    expect(shownKeys("Mod+Alt+Shift+H", false)).toEqual(["Ctrl", "Alt", "Shift", "H"]);
    expect(shownKeys("Mod+Alt+Shift+H", true)).toEqual(["⌥", "⇧", "⌘", "H"]);
    expect(shownKeys("Alt+Shift+ArrowUp", false)).toEqual(["Alt", "Shift", "↑"]);
    expect(shownKeys("Alt+Shift+ArrowUp", true)).toEqual(["⌥", "⇧", "↑"]);
    expect(shownKeys("?", true)).toEqual(["?"]);
  });

  it("[KEYS-3] are distinguished by their modifiers", () => {
    const k = { key: "k", code: "KeyK" };
    expect(pressed("Mod+K", { ...k, ctrlKey: true })).toBe(true);
    expect(pressed("Mod+K", { ...k, metaKey: true }, true)).toBe(true);
    // On Apple devices, Ctrl+K deletes to the end of a line.
    expect(pressed("Mod+K", { ...k, ctrlKey: true }, true)).toBe(false);
    expect(pressed("Mod+K", { ...k, ctrlKey: true, shiftKey: true })).toBe(false);
    expect(pressed("Mod+K", k)).toBe(false);
    expect(pressed("Mod+K", { ...k, ctrlKey: true, isComposing: true })).toBe(false);
  });

  it("[KEYS-3] match on layouts without Latin letters, and signs on any key", () => {
    expect(pressed("Mod+K", { key: "л", code: "KeyK", ctrlKey: true })).toBe(true);
    expect(pressed("Mod+K", { key: "j", code: "KeyK", ctrlKey: true })).toBe(false);
    expect(pressed("?", { key: "?", code: "Minus", shiftKey: true })).toBe(true);
    expect(pressed("Mod+/", { key: "/", code: "Digit7", ctrlKey: true, shiftKey: true })).toBe(
      true,
    );
  });

  it("[KEYS-3] leave AltGr to typing", () => {
    const held = { key: "ń", code: "KeyN", ctrlKey: true, altKey: true };
    expect(pressed("Mod+Alt+N", held)).toBe(true);
    expect(pressed("Mod+Alt+N", { ...held, getModifierState: () => true })).toBe(false);
  });
});
