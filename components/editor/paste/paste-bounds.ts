import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { bringFiles } from "../files/files";
import type * as Late from "./late-bounds";

let late: typeof Late | null = null;

/** Loads the code that checks pastes. Later calls do nothing. */
export async function loadPasteBounds(): Promise<void> {
  late ??= await import("./late-bounds");
}

/** Replaces a paste above the limits with plain text or a file, before any code parses it. */
export const PasteBounds = Extension.create<{ onRefuse: (sentence: string) => void }>({
  name: "pasteBounds",
  // Runs before the extension that searches HTML for images, because that extension parses it.
  priority: 1_100,
  addOptions: () => ({ onRefuse: () => undefined }),
  addProseMirrorPlugins() {
    const { editor, options } = this;
    const take = (
      view: EditorView,
      event: ClipboardEvent | DragEvent,
      data: DataTransfer | null,
    ): boolean => {
      const drop = event instanceof DragEvent ? event : null;
      const bounded = data && view.editable ? late?.boundedAt(view, data, drop) : null;
      if (!bounded) return false;
      event.preventDefault();
      if ("file" in bounded) bringFiles(editor, [bounded.file], drop);
      options.onRefuse(bounded.sentence);
      return true;
    };
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            paste: (view, event) => take(view, event, event.clipboardData),
            // The HTML of a move within the text is not parsed.
            drop: (view, event) => view.dragging === null && take(view, event, event.dataTransfer),
          },
        },
      }),
    ];
  },
});
