import type { Editor } from "@tiptap/core";
import { importWithRetry } from "@/components/loading/retrying-import";
import type * as Writing from "./early-writing";
import type { EarlyWriting } from "./early-capture";

let loaded: typeof Writing | null = null;

const load = () => importWithRetry(() => import("./early-writing"));

/**
 * Resolves once an editor can take over from a person who is typing: it must not end an open
 * composition.
 */
export async function readyForEditor(): Promise<void> {
  if (window.earlyWriting?.isUsed() === true) loaded = await load();
  await window.earlyWriting?.settled();
}

/**
 * Takes the input from before the editor was ready; returns the function that continues it in the
 * editor.
 */
export function takeEarly(element: HTMLElement): ((editor: Editor) => void) | null {
  const early = window.earlyWriting?.take(element) ?? null;
  return early && ((editor) => goOn(editor, early));
}

function goOn(editor: Editor, early: EarlyWriting): void {
  editor.setEditable(true, false);
  const write = ({ continueWriting }: typeof Writing) => {
    if (editor.isDestroyed) return;
    continueWriting(editor, early);
    window.earlyWriting?.forget();
  };
  // Synchronous if loaded: the next key must come after the captured input.
  if (loaded !== null) write(loaded);
  else void load().then(write);
}
