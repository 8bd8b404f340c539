import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { bringFiles } from "../files/files";
import { contentOf, leftOutSentence, withoutPictures } from "./pasted-files";

/**
 * Takes files that somebody pastes or drops into the text, and says what becomes of pictures of
 * other pages: of those a text holds their words, and not them.
 */
export const FilesLeftOut = Extension.create<{ onRefuse: (sentence: string) => void }>({
  name: "filesLeftOut",
  // Before whatever else takes a paste.
  priority: 1_050,
  addOptions() {
    return { onRefuse: () => undefined };
  },
  addProseMirrorPlugins() {
    const { editor, options } = this;
    /** Whether there is nothing in it that the text could take. */
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
              // What is moved within the text has no file in it.
              const nothing = view.dragging === null && notify(event.dataTransfer, true, event);
              if (nothing) event.preventDefault();
              return nothing;
            },
          },
        },
        view(view) {
          const page = view.dom.ownerDocument;
          const stop = new AbortController();
          // Beside the text the browser would leave the page and open the file.
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
