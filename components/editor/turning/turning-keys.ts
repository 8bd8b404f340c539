import { type Editor, Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { afterCritical } from "@/components/loading/after-critical";
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

type Toggle = (editor: Editor, kind: BlockKindId) => void;

const fetchToggle = async (): Promise<Toggle> =>
  (await importWithRetry(() => import("./turn-blocks"))).toggleBlocks;

/** The keys that make another kind of the selected blocks. Their code comes once the text can be written. */
export const TurningKeys = Extension.create({
  name: "turningKeys",
  // Before the keys that Tiptap's blocks bring for the same.
  priority: 1_100,
  addStorage: (): { toggle: Toggle | null } => ({ toggle: null }),
  addKeyboardShortcuts() {
    const { editor, storage } = this;
    const run = (kind: BlockKindId) => () => {
      if (storage.toggle) storage.toggle(editor, kind);
      else
        void fetchToggle().then((toggle) => {
          storage.toggle = toggle;
          if (!editor.isDestroyed) toggle(editor, kind);
        });
      return true;
    };
    return Object.fromEntries(Object.entries(keys).map(([key, kind]) => [key, run(kind)]));
  },
  addProseMirrorPlugins() {
    const { storage } = this;
    return [
      new Plugin({
        view: () => {
          void afterCritical()
            .then(fetchToggle)
            .then((toggle) => (storage.toggle = toggle));
          return {};
        },
      }),
    ];
  },
});
