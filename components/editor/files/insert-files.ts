import type { Editor } from "@tiptap/core";
import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import { dropPoint } from "@tiptap/pm/transform";
import type { EditorView } from "@tiptap/pm/view";
import { systemRandom } from "@/events/core/clock";
import { fileName } from "@/events/core/text/file-name";
import { mostFileBytes } from "@/events/core/file-types";
import type { FilesOptions } from "./files-options";
import { startUpload } from "./uploads";

type Options = FilesOptions & {
  /** The position of the insertion. Null inserts after the block with the caret. */
  at?: number | null;
  /** The position of the image that the first file replaces. */
  replaces?: number;
  /** Inserts every file as a file to download, images included. */
  asFiles?: boolean;
};

/** Returns the display size of an image, or null if this browser cannot show it. */
async function sizeOf(file: File): Promise<{ width: number; height: number } | null> {
  const { shownSize } = await import("@/events/formats/shown-size");
  return shownSize(file);
}

/** Returns the position before or after the block under a drop, or null beside the text. */
export function dropPlace(view: EditorView, { clientX, clientY }: DragEvent): number | null {
  const { doc, schema } = view.state;
  const found = view.posAtCoords({ left: clientX, top: clientY });
  const dropped = new Slice(Fragment.from(schema.nodes.image?.create()), 0, 0);
  return found && dropPoint(doc, found.pos, dropped);
}

function behindCaret(editor: Editor): number {
  const { $to } = editor.state.selection;
  return $to.depth === 0 ? $to.pos : $to.after(Math.max(1, $to.depth));
}

/** Inserts a node in place of an empty line, or after the block at the position. */
function put(editor: Editor, node: Node, at: number | null): void {
  const { state, view } = editor;
  const { $from, empty } = state.selection;
  const transaction = state.tr;
  const isBlank =
    empty && $from.parent.type.name === "paragraph" && $from.parent.content.size === 0;
  if (at === null && isBlank && $from.depth > 0)
    transaction.replaceWith($from.before(), $from.after(), node);
  else transaction.insert(Math.min(at ?? behindCaret(editor), state.doc.content.size), node);
  // Below an image dropped at the end, an empty line lets the person continue writing.
  const { doc } = transaction;
  if (doc.lastChild?.isAtom === true) {
    const line = state.schema.nodes.paragraph?.create();
    if (line) transaction.insert(doc.content.size, line);
  }
  view.dispatch(transaction.scrollIntoView());
}

/**
 * Inserts files into a text at once and starts their uploads. Reports the files that cannot be
 * added, with the reason.
 */
export async function insertFiles(
  editor: Editor,
  files: readonly File[],
  { documentId, userId, onRefuse, at = null, replaces, asFiles = false }: Options,
): Promise<void> {
  let place = at;
  for (const [index, given] of files.entries()) {
    const name = fileName(given.name);
    if (given.size === 0) {
      onRefuse(`“${name}” is empty. It was not added, and your text is unchanged.`);
      continue;
    }
    if (given.size > mostFileBytes) {
      onRefuse(
        `“${name}” is larger than 25 MB. It was not added, and your text is unchanged; choose a smaller one.`,
      );
      continue;
    }
    const size = asFiles ? null : await sizeOf(given);
    if (editor.isDestroyed || !editor.isEditable) return;
    const file = systemRandom.uuid();
    const { image, file: block } = editor.schema.nodes;
    const node =
      size === null
        ? block?.create({ file, name, bytes: given.size })
        : image?.create({ file, ...size });
    if (!node) return;
    startUpload({
      file,
      event: systemRandom.uuid(),
      document: documentId,
      userId,
      name,
      kind: size === null ? "file" : "image",
      bytes: given,
    });
    const replaced =
      index === 0 && replaces !== undefined ? editor.state.doc.nodeAt(replaces) : null;
    if (replaced && replaces !== undefined && size !== null) {
      const { alt, caption, scale, align } = replaced.attrs;
      const changed = image?.create({ file, ...size, alt, caption, scale, align });
      if (changed)
        editor.view.dispatch(
          editor.state.tr.replaceWith(replaces, replaces + replaced.nodeSize, changed),
        );
    } else {
      const before = editor.state.doc.content.size;
      put(editor, node, place);
      if (place !== null) place += editor.state.doc.content.size - before;
    }
  }
}

/** Deletes an image or a file from the text, at its current position. */
export function removeBlock(editor: Editor, file: string): void {
  editor.state.doc.descendants((node, position) => {
    if (node.attrs.file !== file) return true;
    const selection = NodeSelection.create(editor.state.doc, position);
    editor.view.dispatch(editor.state.tr.setSelection(selection).deleteSelection());
    return false;
  });
}

/** Opens the file picker and inserts the picked files into the text. */
export function pickFiles(editor: Editor, kind: "image" | "file", options: Options): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = options.replaces === undefined;
  if (kind === "image") input.accept = "image/png,image/jpeg,image/gif,image/webp,image/avif";
  input.addEventListener("change", () => {
    void insertFiles(editor, [...(input.files ?? [])], { ...options, asFiles: kind === "file" });
    editor.commands.focus();
  });
  input.click();
}
