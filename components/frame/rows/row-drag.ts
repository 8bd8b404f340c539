import { useRef, useState } from "react";
import type { DragEvent } from "react";

/** The props that make a row of a list draggable within it. */
type DragProps = {
  "data-drop": "before" | "after" | undefined;
  onPointerDown: () => void;
  onDragStart: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
  onDragEnd: () => void;
};

/**
 * Makes the rows of a list, `ids` in their order, draggable by mouse; `onMove` receives the dragged
 * row and the row whose place it takes.
 */
export function useRowDrag(
  ids: readonly string[],
  onMove: (id: string, onto: string) => void,
): (id: string) => DragProps {
  const pressed = useRef<string | null>(null);
  const dragged = useRef<string | null>(null);
  /** The row under the pointer, and the side on which the dragged row would land. */
  const [over, setOver] = useState<{ id: string; side: "before" | "after" } | null>(null);
  const end = () => {
    dragged.current = null;
    setOver(null);
  };
  return (id) => ({
    "data-drop": over?.id === id ? over.side : undefined,
    onPointerDown: () => {
      pressed.current = id;
    },
    onDragStart: (event) => {
      // The browser drags the row that is under the mouse now, which may be another one after a
      // reorder.
      if (pressed.current === id) dragged.current = id;
      else event.preventDefault();
    },
    onDragOver: (event) => {
      const from = dragged.current;
      if (from === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      const side = ids.indexOf(id) < ids.indexOf(from) ? "before" : "after";
      setOver(id === from ? null : { id, side });
    },
    onDrop: (event) => {
      const from = dragged.current;
      if (from === null) return;
      event.preventDefault();
      end();
      if (from !== id) onMove(from, id);
    },
    onDragEnd: end,
  });
}
