import { useRef, useState } from "react";
import type { DragEvent } from "react";

/** The props that make a row draggable within its list. */
type DragProps = {
  "data-drop": "before" | "after" | undefined;
  onPointerDown: () => void;
  onDragStart: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
  onDragEnd: () => void;
};

/**
 * Makes the rows of a list draggable by mouse. `ids` has the order of the rows. `onMove` receives
 * the dragged row and the row whose place it takes.
 */
export function useRowDrag(
  ids: readonly string[],
  onMove: (id: string, onto: string) => void,
): (id: string) => DragProps {
  const pressed = useRef<string | null>(null);
  const dragged = useRef<string | null>(null);
  /** The row under the pointer, and the side on which the dragged row would be dropped. */
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
      // After a reorder, another row may be under the mouse. The browser would drag that row.
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
