import type { Drop } from "@/machines/tree-moves";

type Dragging = {
  /** Whether the dragged document may be dropped at this place. */
  mayDrop: (id: string, onto: string, drop: Drop) => boolean;
  mayDrag: (id: string) => boolean;
  onDrop: (id: string, onto: string, drop: Drop) => void;
  /** Called when a drag rests on a collapsed row. */
  onWait: (onto: string) => void;
};

const wait = 700;

const rowAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;
const idOf = (row: HTMLElement) => row.dataset.document ?? "";

/** Returns where a drop lands. The upper and lower quarter of a row mean before and after it. */
function dropAt(row: HTMLElement, y: number): Drop {
  const { top, height } = row.getBoundingClientRect();
  const part = (y - top) / height;
  return part < 0.25 ? "before" : part > 0.75 ? "after" : "inside";
}

/** Makes the rows of a tree draggable by mouse. Returns the function that stops this. */
export function letDrag(tree: HTMLElement, handlers: () => Dragging): () => void {
  let pressed: HTMLElement | null = null;
  let dragged: HTMLElement | null = null;
  let over: HTMLElement | null = null;
  let timer = 0;
  const mark = (row: HTMLElement | null, drop: Drop | null) => {
    if (row !== over) {
      clearTimeout(timer);
      if (row && drop) timer = window.setTimeout(() => handlers().onWait(idOf(row)), wait);
    }
    if (over && over !== row) delete over.dataset.drop;
    over = drop === null ? null : row;
    if (over && drop) over.dataset.drop = drop;
  };
  const end = () => {
    mark(null, null);
    if (dragged) delete dragged.dataset.dragged;
    dragged = null;
  };
  const dropOf = (event: DragEvent) => {
    const row = rowAt(event.target);
    if (!dragged || !row || row === dragged) return null;
    const drop = dropAt(row, event.clientY);
    return handlers().mayDrop(idOf(dragged), idOf(row), drop) ? { row, drop } : null;
  };
  const press = ({ target }: Event) => {
    pressed = rowAt(target);
  };
  const start = (event: DragEvent) => {
    const row = rowAt(event.target);
    // After a move, another row may be under the mouse. The browser would drag that row.
    if (row !== pressed) return event.preventDefault();
    if (!row || !handlers().mayDrag(idOf(row))) return;
    dragged = row;
    row.dataset.dragged = "";
    // Outside the tree, the row is dropped as a link.
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "all";
  };
  const hover = (event: DragEvent) => {
    const found = dropOf(event);
    mark(found?.row ?? null, found?.drop ?? null);
    if (!found) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "move";
  };
  const leave = (event: DragEvent) => {
    if (!(event.relatedTarget instanceof Node) || !tree.contains(event.relatedTarget))
      mark(null, null);
  };
  const drop = (event: DragEvent) => {
    const found = dropOf(event);
    const id = dragged && idOf(dragged);
    end();
    if (!found || id === null) return;
    event.preventDefault();
    handlers().onDrop(id, idOf(found.row), found.drop);
  };
  const listeners = [
    ["dragstart", start],
    ["dragover", hover],
    ["dragleave", leave],
    ["drop", drop],
    ["dragend", end],
  ] as const;
  for (const [type, listener] of listeners) tree.addEventListener(type, listener);
  document.addEventListener("pointerdown", press, true);
  return () => {
    end();
    document.removeEventListener("pointerdown", press, true);
    for (const [type, listener] of listeners) tree.removeEventListener(type, listener);
  };
}
