import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { leftOutSentence, withoutPictures } from "./pasted-files";

function contentOf(data: DataTransfer, dropped: boolean) {
  const html = data.getData("text/html");
  const { html: words, pictures } = withoutPictures(html);
  const plainText =
    html === "" ? data.getData("text/plain") : words.replace(/<[^>]*>|&nbsp;/g, " ");
  const files = [...data.files].map(({ name, type }) => ({ name, type }));
  // A file that comes with words is another form of them, as spreadsheets and word processors bring
  // it; its name is none.
  const named = plainText
    .split("\n")
    .every((line) => files.some(({ name }) => line.trim().endsWith(name)));
  return {
    files,
    pictures,
    withText: plainText.trim() !== "" && !(files.length > 0 && named),
    dropped,
  };
}

/** Says what becomes of pictures and files that somebody pastes or drops: a text holds their words, and not them. */
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
    const notify = (data: DataTransfer | null, dropped: boolean): boolean => {
      if (data === null || !editor.isEditable) return false;
      const brought = contentOf(data, dropped);
      const sentence = leftOutSentence(brought);
      if (sentence !== null) options.onRefuse(sentence);
      return sentence !== null && !brought.withText;
    };
    return [
      new Plugin({
        props: {
          transformPastedHTML: (html) => withoutPictures(html).html,
          handleDOMEvents: {
            paste: (_view, event) => {
              const nothing = notify(event.clipboardData, false);
              if (nothing) event.preventDefault();
              return nothing;
            },
            drop: (view, event) => {
              // What is moved within the text has no file in it.
              const nothing = view.dragging === null && notify(event.dataTransfer, true);
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
            if (event.type === "drop") notify(event.dataTransfer, true);
          };
          page.addEventListener("dragover", preventNavigation, { signal: stop.signal });
          page.addEventListener("drop", preventNavigation, { signal: stop.signal });
          return { destroy: () => stop.abort() };
        },
      }),
    ];
  },
});
