import { useRef, useState, type DragEvent } from "react";

/** What a row of a list needs to be dragged to another place in it. */
type DragProps = {
  "data-drop": "before" | "after" | undefined;
  onDragStart: () => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
  onDragEnd: () => void;
};

/** Lets the rows of a list be dragged by mouse; `onMove` hears from where to where. */
export function useRowDrag(onMove: (from: number, to: number) => void): (at: number) => DragProps {
  const dragged = useRef<number | null>(null);
  /** The row that it is over, and on which side of it it would come. */
  const [over, setOver] = useState<{ at: number; side: "before" | "after" } | null>(null);
  const end = () => {
    dragged.current = null;
    setOver(null);
  };
  return (at) => ({
    "data-drop": over?.at === at ? over.side : undefined,
    onDragStart: () => {
      dragged.current = at;
    },
    onDragOver: (event) => {
      const from = dragged.current;
      if (from === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      setOver(at === from ? null : { at, side: at < from ? "before" : "after" });
    },
    onDrop: (event) => {
      const from = dragged.current;
      if (from === null) return;
      event.preventDefault();
      end();
      if (from !== at) onMove(from, at);
    },
    onDragEnd: end,
  });
}
