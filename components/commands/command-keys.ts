import type { Keys } from "@/components/ui/keyboard/keys";

/**
 * The keys of commands, by which a page listens for them before it knows anything else of a
 * command; the first is the one that is shown. A browser keeps Ctrl+Shift+N to itself, except in a
 * window of its own.
 */
export const commandKeys = {
  palette: ["Mod+K"],
  shortcuts: ["?", "Mod+/"],
  newDocument: ["Mod+Alt+N", "Mod+Shift+N"],
  sidebar: ["Mod+\\"],
  theme: ["Mod+Shift+L"],
  history: ["Mod+Alt+Shift+H"],
} as const satisfies Readonly<Record<string, readonly Keys[]>>;

export type KeyedCommand = keyof typeof commandKeys;
