import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import type { Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { onceHeld } from "@/components/editor/tables/code-on-demand";
import { importWithRetry } from "@/components/loading/retrying-import";
import type { FilesOptions } from "./files-options";

const optionsOf = new WeakMap<Editor, FilesOptions>();

/** Adds dropped files to the text, or pasted files if `at` is null. */
export function bringFiles(editor: Editor, files: readonly File[], at: DragEvent | null): void {
  const options = optionsOf.get(editor);
  if (options)
    void importWithRetry(() => import("./insert-files")).then(({ insertFiles, dropPlace }) =>
      insertFiles(editor, files, { ...options, at: at && dropPlace(editor.view, at) }),
    );
}

/** Opens the file picker. `replaces` is the position of the image to replace. */
export function askForFiles(editor: Editor, kind: "image" | "file", replaces?: number): void {
  const options = optionsOf.get(editor);
  if (options)
    void importWithRetry(() => import("./insert-files")).then(({ pickFiles }) =>
      pickFiles(editor, kind, { ...options, ...(replaces !== undefined && { replaces }) }),
    );
}

function namesFile({ content }: Slice): boolean {
  let isNamed = false;
  content.descendants(({ attrs }) => {
    isNamed ||= typeof attrs.file === "string";
    return !isNamed;
  });
  return isNamed;
}

/**
 * Images and files in a text. The code that shows, resizes and uploads them loads with the first
 * image or file.
 */
export const Files = Extension.create<FilesOptions>({
  name: "files",
  addOptions: () => ({ documentId: "", userId: "", onRefuse: () => undefined }),
  addProseMirrorPlugins() {
    const { editor, options } = this;
    optionsOf.set(editor, options);
    return [
      new Plugin({
        props: {
          transformPasted: (slice) => {
            const before = editor.state.doc;
            if (namesFile(slice))
              void importWithRetry(() => import("./copied-files")).then(({ bringCopies }) =>
                bringCopies(slice, before, options),
              );
            return slice;
          },
        },
      }),
      onceHeld(
        editor,
        (name) => name === "image" || name === "file",
        async () => {
          const { enableFileViews } = await importWithRetry(() => import("./file-views"));
          return () => enableFileViews(editor, options);
        },
      ),
    ];
  },
});
