import type { Keys } from "@/components/ui/keyboard/keys";

type Shortcut = {
  /**
   * Values of `KeyboardEvent.key`, letters in lower case. `Shift+` is used only before keys that
   * type no character.
   */
  keys: readonly string[];
  /** The same keys as they are displayed. */
  shown: readonly Keys[];
  does: string;
};

/** The shortcuts of the player, in the order of the list. */
export const playerShortcuts = {
  play: { keys: [" ", "k"], shown: ["Space", "K"], does: "Play or pause" },
  groupBack: {
    keys: ["ArrowLeft", "ArrowDown"],
    shown: ["←"],
    does: "Previous edits; 5 seconds back while playing",
  },
  groupOn: {
    keys: ["ArrowRight", "ArrowUp"],
    shown: ["→"],
    does: "Next edits; 5 seconds forward while playing",
  },
  back: { keys: ["j", "PageDown"], shown: ["J"], does: "10 seconds back" },
  on: { keys: ["l", "PageUp"], shown: ["L"], does: "10 seconds forward" },
  editBack: { keys: [","], shown: [","], does: "Previous edit" },
  editOn: { keys: ["."], shown: ["."], does: "Next edit" },
  stopBack: {
    keys: ["[", "Shift+ArrowLeft"],
    shown: ["[", "Shift+←"],
    does: "Previous session, chapter or marker",
  },
  stopOn: {
    keys: ["]", "Shift+ArrowRight"],
    shown: ["]", "Shift+→"],
    does: "Next session, chapter or marker",
  },
  start: { keys: ["Home"], shown: ["Home"], does: "Go to the start" },
  end: { keys: ["End"], shown: ["End"], does: "Go to the newest moment" },
  slower: { keys: ["<"], shown: ["<"], does: "Slower" },
  faster: { keys: [">"], shown: [">"], does: "Faster" },
  colours: { keys: ["a"], shown: ["A"], does: "Colour: last session, all authors, off" },
  compare: {
    keys: ["d", "b"],
    shown: ["D", "B"],
    does: "Compare with another moment; again to close",
  },
  nextChange: { keys: ["n"], shown: ["N"], does: "Next change, while comparing" },
  lastChange: { keys: ["p"], shown: ["P"], does: "Previous change, while comparing" },
  versions: { keys: ["m"], shown: ["M"], does: "Name this version, or see all versions" },
  goTo: { keys: ["g"], shown: ["G"], does: "Go to a date or an edit" },
  bringBack: { keys: ["r"], shown: ["R"], does: "Bring back the selected passage" },
  copyLink: { keys: ["c"], shown: ["C"], does: "Copy link to this moment" },
  rangeStart: { keys: ["i"], shown: ["I"], does: "Start the playback range here; again to clear" },
  rangeEnd: { keys: ["o"], shown: ["O"], does: "End the playback range here; again to clear" },
  fullScreen: { keys: ["f"], shown: ["F"], does: "Full screen" },
  help: { keys: ["?"], shown: ["?"], does: "Keyboard shortcuts" },
  leave: { keys: ["Escape"], shown: ["Esc"], does: "Back to live" },
} as const satisfies Readonly<Record<string, Shortcut>>;

export type PlayerShortcut = keyof typeof playerShortcuts;
