import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import type { BlockKindId } from "./block-turning";
import type { Span } from "./touched-blocks";

/**
 * The commands that turn and indent blocks. Their code loads with the toolbars of a text and is
 * registered here.
 */
type BlockCommands = {
  turnBlocks: (editor: Editor, kind: BlockKindId, span?: Span) => void;
  toggleBlocks: (editor: Editor, kind: BlockKindId) => void;
  moveCode: (editor: Editor, out: boolean) => void;
};

declare module "@tiptap/core" {
  interface Storage {
    turningKeys: { commands: BlockCommands | null };
  }
}

const keys: Record<string, BlockKindId> = {
  "Mod-Alt-0": "text",
  "Mod-Alt-1": "heading-1",
  "Mod-Alt-2": "heading-2",
  "Mod-Alt-3": "heading-3",
  "Mod-Shift-7": "numbers",
  "Mod-Shift-8": "bullets",
  "Mod-Shift-9": "tasks",
  "Mod-Shift-b": "quote",
  "Mod-Alt-c": "code",
};

/** The keys that turn the selected blocks. Tiptap's own commands run until the code is loaded. */
export const TurningKeys = Extension.create({
  name: "turningKeys",
  priority: 1_100,
  addStorage: (): { commands: BlockCommands | null } => ({ commands: null }),
  addKeyboardShortcuts() {
    const { editor, storage } = this;
    const run = (kind: BlockKindId) => () => {
      storage.commands?.toggleBlocks(editor, kind);
      return storage.commands !== null;
    };
    return Object.fromEntries(Object.entries(keys).map(([key, kind]) => [key, run(kind)]));
  },
});
