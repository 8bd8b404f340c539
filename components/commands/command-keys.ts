import type { Keys } from "@/components/ui/keyboard/keys";

/**
 * The shortcuts of commands. They are in their own file so that a page can listen before it loads
 * the commands. The first shortcut is displayed. Browsers reserve Ctrl+Shift+N, except in the
 * window of an installed app.
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
