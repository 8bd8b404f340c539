import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { bringFiles } from "../files/files";
import { contentOf, leftOutSentence, withoutPictures } from "./pasted-files";

/**
 * Adds files that are pasted or dropped into the text. Reports images of other pages that are left
 * out, because the text keeps only their alternative text.
 */
export const FilesLeftOut = Extension.create<{ onRefuse: (sentence: string) => void }>({
  name: "filesLeftOut",
  // Runs before every other paste handler.
  priority: 1_050,
  addOptions() {
    return { onRefuse: () => undefined };
  },
  addProseMirrorPlugins() {
    const { editor, options } = this;
    /**
     * Adds files and reports left-out images. Returns true if the editor has nothing left to paste.
     */
    const notify = (data: DataTransfer | null, dropped: boolean, at: DragEvent | null): boolean => {
      if (data === null || !editor.isEditable) return false;
      const brought = contentOf(data);
      if (brought.files.length > 0 && !brought.withText) {
        bringFiles(editor, [...data.files], at);
        return true;
      }
      if (brought.pictures === 0) return false;
      options.onRefuse(leftOutSentence({ ...brought, dropped }));
      return !brought.withText;
    };
    return [
      new Plugin({
        props: {
          transformPastedHTML: (html) => withoutPictures(html).html,
          handleDOMEvents: {
            paste: (_view, event) => {
              const nothing = notify(event.clipboardData, false, null);
              if (nothing) event.preventDefault();
              return nothing;
            },
            drop: (view, event) => {
              // A move within the text has no files.
              const nothing = view.dragging === null && notify(event.dataTransfer, true, event);
              if (nothing) event.preventDefault();
              return nothing;
            },
          },
        },
        view(view) {
          const page = view.dom.ownerDocument;
          const stop = new AbortController();
          // Outside the text, the browser would navigate to the dropped file.
          const preventNavigation = (event: DragEvent) => {
            const field =
              event.target instanceof Element &&
              event.target.closest("input, [data-takes-files]") !== null;
            if (
              event.defaultPrevented ||
              field ||
              event.dataTransfer?.types.includes("Files") !== true
            )
              return;
            event.preventDefault();
            if (event.type === "drop") notify(event.dataTransfer, true, null);
          };
          page.addEventListener("dragover", preventNavigation, { signal: stop.signal });
          page.addEventListener("drop", preventNavigation, { signal: stop.signal });
          return { destroy: () => stop.abort() };
        },
      }),
    ];
  },
});
