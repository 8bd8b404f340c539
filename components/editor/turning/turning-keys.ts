import { type Editor, Extension } from "@tiptap/core";
import { importWithRetry } from "@/components/loading/retrying-import";
import type { BlockKindId } from "./block-turning";

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

/** Turns the selected blocks with code that has come with the toolbar, or comes now. */
async function toggle(editor: Editor, kind: BlockKindId): Promise<void> {
  const { toggleBlocks } = await importWithRetry(() => import("./turn-blocks"));
  if (!editor.isDestroyed) toggleBlocks(editor, kind);
}

/** The keys that make another kind of the selected blocks. */
export const TurningKeys = Extension.create({
  name: "turningKeys",
  // Before the keys that Tiptap's blocks bring for the same.
  priority: 1_100,
  addKeyboardShortcuts() {
    const run = (kind: BlockKindId) => () => {
      void toggle(this.editor, kind);
      return true;
    };
    return Object.fromEntries(Object.entries(keys).map(([key, kind]) => [key, run(kind)]));
  },
});
