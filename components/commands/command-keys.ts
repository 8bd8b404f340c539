import type { Keys } from "@/components/ui/keyboard/keys";

/**
 * The shortcuts of commands, kept apart so that a page can listen before it loads the commands; the
 * first is the displayed one. Browsers reserve Ctrl+Shift+N, except in an installed app's window.
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
