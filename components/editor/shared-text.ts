import { Extension } from "@tiptap/core";
import { ySyncPlugin } from "@tiptap/y-tiptap";
import type { XmlFragment } from "yjs";

/**
 * Binds the editor to a shared text. What its writer can take back is kept beside it (own-undo.ts),
 * whatever it is bound to.
 */
export const SharedText = Extension.create<{ fragment: XmlFragment | null }>({
  name: "sharedText",
  priority: 1_000,
  addOptions: () => ({ fragment: null }),
  addProseMirrorPlugins() {
    const { fragment } = this.options;
    return fragment === null ? [] : [ySyncPlugin(fragment)];
  },
});
