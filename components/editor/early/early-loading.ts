import type { Editor } from "@tiptap/core";
import { importWithRetry } from "@/components/loading/retrying-import";
import type * as Writing from "./early-writing";
import type { LiveText } from "../binding/live-text";
import type { EarlyWriting } from "./early-capture";

let loaded: typeof Writing | null = null;

const load = () => importWithRetry(() => import("./early-writing"));

/**
 * Resolves once an editor can take over the input. The editor must not end an open composition of a
 * person who is typing.
 */
export async function readyForEditor(): Promise<void> {
  if (window.earlyWriting?.isUsed() === true) loaded = await load();
  await window.earlyWriting?.settled();
}

/**
 * Takes over the input from before the editor was ready. Returns the function that continues it in
 * the editor.
 */
export function takeEarly(element: HTMLElement, live: LiveText): ((editor: Editor) => void) | null {
  const early = window.earlyWriting?.take(element) ?? null;
  return early && ((editor) => goOn(editor, early, live));
}

function goOn(editor: Editor, early: EarlyWriting, live: LiveText): void {
  editor.setEditable(true, false);
  const write = ({ continueWriting }: typeof Writing) => {
    // The device keeps the input of a text that the person left meanwhile.
    if (editor.isDestroyed) early.release();
    else continueWriting(editor, early, live);
  };
  // Synchronous if loaded, because the next key must follow the captured input.
  if (loaded !== null) write(loaded);
  else void load().then(write);
}
