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
    // The stored value was not written by this product.
    return [];
  }
}

/**
 * Writes the stored input of the person's earlier pages, which ended before their editors were
 * ready: at its position when the block still has the same text, otherwise at the end. Reports it
 * if there was any. The input of a page that is still open is left to that page.
 */
export function writeLeft(
  editor: Editor,
  of: { userId: string; documentId: string },
  say: (sentence: string) => void,
  storage: Storage = localStorage,
): void {
  const prefix = earlyKey(of);
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
  // Insecure origins have no `navigator.locks`, though the types say so.
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

/** Writes the stored input of one page; false when there is none. */
function takeLeft(editor: Editor, key: string, storage: Storage): boolean {
  // Input that cannot be written now stays on the device.
  if (editor.isDestroyed || !editor.isEditable) return false;
  const left = parsed(storage.getItem(key));
  // From here on other tabs no longer find it.
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
