import type { Editor } from "@tiptap/core";
import * as z from "zod/mini";
import { earlyKey } from "@/events/device/early-words";
import { writeGroups } from "./early-writing";

const place = z.nullable(z.object({ path: z.array(z.number()), offset: z.number() }));
const piece = z.union([
  z.string(),
  z.object({ enter: z.literal(true) }),
  z.object({ strings: z.record(z.string(), z.string()) }),
]);
const shape = z.array(
  z.object({
    from: place,
    to: place,
    words: z.string(),
    deleted: z.number(),
    removed: z.boolean(),
    pieces: z.array(piece),
  }),
);

type Left = z.output<typeof shape>;

function parsed(text: string | null): Left {
  try {
    const read = shape.safeParse(JSON.parse(text ?? "null"));
    return read.success ? read.data : [];
  } catch {
    // Whatever stands there was not written by a page of ours.
    return [];
  }
}

/**
 * Writes into a text what its person typed into pages of it that ended before their editor was
 * there: at its place where the block still reads the same, otherwise at the end of the text. Says
 * so where there was anything. The words of a page that is still open are left to it.
 */
export function writeLeft(
  editor: Editor,
  of: { userId: string; documentId: string },
  say: (sentence: string) => void,
  storage: Storage = localStorage,
): void {
  const prefix = earlyKey(of);
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
  // Insecure origins have no locks, though the types say so.
  const locks: LockManager | undefined = navigator.locks;
  for (const key of keys.filter((name) => name.startsWith(prefix))) {
    const write = () => {
      if (takeLeft(editor, key, storage))
        say("Added what you typed here before the page had loaded.");
    };
    if (locks === undefined) write();
    else void locks.request(key, write);
  }
}

/** Writes what one page has left; false where that is nothing. */
function takeLeft(editor: Editor, key: string, storage: Storage): boolean {
  // What can't be written now stays on the device.
  if (editor.isDestroyed || !editor.isEditable) return false;
  const left = parsed(storage.getItem(key));
  // Another tab does not find it any more.
  storage.removeItem(key);
  let found = false;
  for (const { pieces, ...group } of left) {
    const block = group.to === null ? null : editor.view.dom.children[group.to.path[0] ?? 0];
    const isSame = block !== null && block !== undefined && block.textContent === group.words;
    if (!isSame && pieces.length === 0) continue;
    found = true;
    if (!isSame) editor.commands.setTextSelection(editor.state.doc.content.size);
    if (!isSame && editor.state.selection.$from.parent.content.size > 0) editor.commands.enter();
    const whole = pieces.map((written) =>
      typeof written === "object" && "strings" in written ? { ...written, files: [] } : written,
    );
    writeGroups(
      editor,
      [{ ...group, deleted: isSame ? group.deleted : 0, pieces: whole }],
      isSame ? undefined : () => null,
    );
  }
  return found;
}
