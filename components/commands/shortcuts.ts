import type { Keys } from "@/components/ui/keyboard/keys";
import { commandKeys } from "./command-keys";
import type { KeyedCommand } from "./command-keys";
import { commands } from "./commands";
import { playerShortcuts } from "./player-shortcuts";

type Listed = { keys: readonly Keys[]; does: string };
type Section = { name: string; note?: string; shortcuts: readonly Listed[] };

const isKeyed = (id: string): id is KeyedCommand => id in commandKeys;

const everywhere = Object.keys(commandKeys)
  .filter(isKeyed)
  .map((id): Listed => ({ keys: commandKeys[id], does: commands[id].name }));

/** The shortcuts of the text editor. The extensions of its blocks and marks bind their own keys. */
export const textShortcuts = {
  blocks: { keys: ["/"], does: "Insert a block" },
  bold: { keys: ["Mod+B"], does: "Bold" },
  italic: { keys: ["Mod+I"], does: "Italic" },
  underline: { keys: ["Mod+U"], does: "Underline" },
  strike: { keys: ["Mod+Shift+X"], does: "Strikethrough" },
  code: { keys: ["Mod+E"], does: "Code" },
  link: { keys: ["Mod+K"], does: "Link, with words selected" },
  openLink: { keys: ["Alt+Enter"], does: "Open the link" },
  paragraph: { keys: ["Mod+Alt+0"], does: "Text" },
  headings: { keys: ["Mod+Alt+1", "Mod+Alt+2", "Mod+Alt+3"], does: "Headings" },
  numbers: { keys: ["Mod+Shift+7"], does: "Numbered list" },
  bullets: { keys: ["Mod+Shift+8"], does: "Bulleted list" },
  tasks: { keys: ["Mod+Shift+9"], does: "To-do list" },
  toggle: { keys: ["Mod+Enter"], does: "Check or uncheck a to-do" },
  indent: { keys: ["Tab", "Mod+]"], does: "Indent in a list" },
  outdent: { keys: ["Shift+Tab", "Mod+["], does: "Outdent in a list" },
  up: { keys: ["Alt+Shift+↑"], does: "Move the block up" },
  down: { keys: ["Alt+Shift+↓"], does: "Move the block down" },
  duplicate: { keys: ["Mod+D"], does: "Duplicate the block" },
  comment: { keys: ["Mod+Shift+M"], does: "Comment, with words selected" },
  find: { keys: ["Mod+F"], does: commands.find.name },
  replace: { keys: ["Mod+Shift+H"], does: "Find and replace" },
  quote: { keys: ["Mod+Shift+B"], does: "Quotation" },
  plain: { keys: ["Mod+Shift+V"], does: "Paste as plain text" },
  undo: { keys: ["Mod+Z"], does: "Undo" },
  redo: { keys: ["Mod+Shift+Z", "Mod+Y"], does: "Redo" },
  toolbar: { keys: ["Alt+F10"], does: "Go to the formatting toolbar; Esc to return" },
  leave: { keys: ["Esc"], does: "Leave the text; then Tab goes on" },
} as const satisfies Readonly<Record<string, Listed>>;

/** Every shortcut of the product, by section of the list. */
export const sections: readonly Section[] = [
  {
    name: "Everywhere",
    shortcuts: [
      ...everywhere,
      { keys: ["F6", "Shift+F6"], does: "Go to the next or previous part of the page" },
      { keys: ["Esc"], does: "Close what is open" },
    ],
  },
  { name: "Writing", shortcuts: Object.values(textShortcuts) },
  {
    name: "History",
    note: "They work while the player has the focus.",
    shortcuts: [
      ...Object.entries(playerShortcuts)
        .filter(([id]) => id !== "help")
        .map(([, { shown, does }]): Listed => ({ keys: shown, does })),
      { keys: ["0", "9"], does: "Go to a tenth of the history" },
    ],
  },
];
