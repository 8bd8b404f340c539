import type { Editor } from "@tiptap/core";
import { importWithRetry } from "@/components/loading/retrying-import";
import type * as Writing from "./early-writing";
import type { EarlyWriting } from "./early-capture";

let loaded: typeof Writing | null = null;

const load = () => importWithRetry(() => import("./early-writing"));

/** Resolves once an editor can go on where somebody writes already: it must not end what is being composed. */
export async function readyForEditor(): Promise<void> {
  if (window.earlyWriting?.isUsed() === true) loaded = await load();
  await window.earlyWriting?.settled();
}

/** Takes what was done in the text before its editor was there; the answer goes on with it in the editor. */
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
  // At once where it can be: a key that comes next goes behind what was typed.
  if (loaded !== null) write(loaded);
  else void load().then(write);
}
