import { useRef, useState, type DragEvent } from "react";

/** What a row of a list needs to be dragged to another place in it. */
type DragProps = {
  "data-drop": "before" | "after" | undefined;
  onPointerDown: () => void;
  onDragStart: (event: DragEvent) => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
  onDragEnd: () => void;
};

/**
 * Lets the rows of a list, `ids` in their order, be dragged by mouse; `onMove` hears which of them
 * is to come to the place of which.
 */
export function useRowDrag(
  ids: readonly string[],
  onMove: (id: string, onto: string) => void,
): (id: string) => DragProps {
  const pressed = useRef<string | null>(null);
  const dragged = useRef<string | null>(null);
  /** The row that it is over, and on which side of it it would come. */
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
      // The browser takes what is under the mouse by now: another row where the order has changed meanwhile.
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
