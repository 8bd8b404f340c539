import type { Editor } from "@tiptap/core";
import { absolutePositionToRelativePosition, ySyncPluginKey } from "@tiptap/y-tiptap";
import type { ProsemirrorBinding } from "@tiptap/y-tiptap";
import { createAbsolutePositionFromRelativePosition, XmlElement, XmlText } from "yjs";
import type { Doc, XmlFragment } from "yjs";
import type { Composition } from "@/machines/sync/device/page-view";

/** The time in ms after its end within which ProseMirror has read a composition. */
const readAfter = 60;

/** Returns a getter for the open composition (input method), to be called on every write. */
export function compositionsOf(editor: Editor): () => Composition | null {
  let current: Composition | null = null;
  return () => {
    if (current?.isOpen !== true)
      current = !editor.isDestroyed && editor.view.composing ? compositionIn(editor) : null;
    return current;
  };
}

function compositionIn(editor: Editor): Composition {
  const { dom } = editor.view;
  let isOpen = true;
  const ended = new Promise<void>((resolve) => {
    const listening = new AbortController();
    const end = () => {
      isOpen = false;
      listening.abort();
      resolve();
    };
    const soon = () => setTimeout(end, readAfter);
    const { signal } = listening;
    dom.addEventListener("compositionend", soon, { once: true, signal });
    // Some browsers fire no compositionend when a composition loses focus.
    dom.addEventListener("blur", soon, { once: true, signal });
    // The editor has read a composition when the next one begins.
    dom.addEventListener("compositionstart", end, { once: true, signal });
  });
  return {
    get isOpen() {
      return isOpen;
    },
    ended,
    block: () => blockOf(editor),
    finish() {
      dom.blur();
      editor.view.focus();
    },
  };
}

/** Returns the block of the shared text that contains the caret. */
function blockOf({ state }: Editor): XmlElement | null {
  const sync: { doc: Doc; type: XmlFragment; binding: ProsemirrorBinding } =
    ySyncPluginKey.getState(state);
  const place = absolutePositionToRelativePosition(
    state.selection.head,
    sync.type,
    sync.binding.mapping,
  );
  const type: unknown = createAbsolutePositionFromRelativePosition(place, sync.doc)?.type;
  const block = type instanceof XmlText ? type.parent : type;
  return block instanceof XmlElement ? block : null;
}
