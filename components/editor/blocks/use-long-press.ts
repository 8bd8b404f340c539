import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent } from "react";
import { watchLongPresses } from "@/components/ui/keyboard/long-press";
import { blockAtHeight } from "./block-place";

/**
 * Hears of a finger that rests on a block of a text that nobody is writing in: while somebody
 * writes, a long press selects words, as everywhere.
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
