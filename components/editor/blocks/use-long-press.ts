import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent } from "react";
import { watchLongPresses } from "@/components/ui/keyboard/long-press";
import { blockAtHeight } from "./block-place";

/**
 * Handles a long press on a block while the text has no focus. With focus, a long press selects
 * text as usual.
 */
export function useLongPress(editor: Editor, onPress: (at: number) => void): void {
  const pressed = useEffectEvent(onPress);
  useEffect(
    () =>
      watchLongPresses(editor.view.dom, ({ clientX, clientY }) => {
        if (editor.isFocused) return null;
        return () => {
          const at = editor.isDestroyed ? null : blockAtHeight(editor.view, clientX, clientY);
          if (at !== null) pressed(at);
          return at !== null;
        };
      }),
    [editor],
  );
}
