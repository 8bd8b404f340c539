import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    left.length === right.size && left.every(([name, value]) => Object.is(value, right.get(name)))
  );
}

/**
 * Returns the result of `select` for the editor. Rerenders only when the result changes, and not on
 * every keystroke. `select` must be stable. Results are compared one level deep.
 */
export function useEditorState<T>(editor: Editor, select: (editor: Editor) => T): T {
  const [value, setValue] = useState(() => select(editor));
  useEffect(() => {
    const update = () => {
      if (editor.isDestroyed) return;
      setValue((before) => {
        const after = select(editor);
        return isSame(before, after) ? before : after;
      });
    };
    editor.on("transaction", update);
    editor.on("focus", update);
    editor.on("blur", update);
    return () => {
      editor.off("transaction", update);
      editor.off("focus", update);
      editor.off("blur", update);
    };
  }, [editor, select]);
  return value;
}
