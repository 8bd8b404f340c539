"use client";

import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { moveRefusal } from "@/machines/document-tree";
import { rowByTitle, treeAction } from "@/machines/tree-keys";
import { dropMove, keyMove } from "@/machines/tree-moves";
import type { TreeRow } from "@/machines/tree-rows";
import { treeOfRows } from "@/components/workspace-state/placed-documents";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { TreeTask } from "./tree-task";
import { setExpanded } from "../documents/expanded-documents";
import { MoveDialog } from "../documents/move-dialog";
import { focusRow, returnToRow } from "./row-focus";
import { letDrag } from "./tree-drag";
import { watchLongPresses } from "@/components/ui/keyboard/long-press";
import { useMoving } from "../documents/use-moving";

/** Opens the menu of a row. Its button mounts on focus, so this retries while the row has focus. */
function openMenu(row: HTMLElement): void {
  const button = row.querySelector<HTMLElement>("[aria-haspopup=menu]");
  // A menu that was open before is a Radix menu, which ignores synthetic clicks.
  if (button?.dataset.state !== undefined)
    button.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  else if (button) button.click();
  else if (row.contains(document.activeElement)) requestAnimationFrame(() => openMenu(row));
}

type Props = {
  list: RefObject<HTMLElement | null>;
  rows: readonly TreeRow<WorkspaceDocument>[];
  inside: ReadonlyMap<string | null, readonly WorkspaceDocument[]>;
  isOpen: (id: string) => boolean;
  task: TreeTask | null;
  onTask: (task: TreeTask | null) => void;
};

/** The pause in ms after which typed letters start a new search. */
const wordEnds = 800;

/** Adds the interactions of the tree: shortcuts, dragging, and the move dialog. */
export function TreeTools({ list, rows, inside, isOpen, task, onTask }: Props) {
  const { id: workspace, documents, mayDocument } = useWorkspace("id", "documents", "mayDocument");
  const move = useMoving();
  const typed = useRef({ text: "", at: 0 });

  const byId = (id: string) => documents.find((document) => document.id === id) ?? null;
  const mayMove = (id: string) => {
    const row = byId(id);
    return row !== null && mayDocument("document.moved", row);
  };
  const moveByKey = (id: string, key: string): boolean => {
    const to = keyMove(inside, id, key);
    if (!to || !mayMove(id)) return to !== null;
    // A row that moves in the DOM loses the focus.
    void move(id, to).then(() => returnToRow(id));
    focusRow(id);
    return true;
  };
  const type = (id: string, letter: string, now: number): boolean => {
    const { text, at } = typed.current;
    typed.current = { text: now - at > wordEnds ? letter : text + letter, at: now };
    const found = rowByTitle(openRows(), id, typed.current.text);
    if (found !== null) focusRow(found);
    return found !== null;
  };
  const openRows = () => rows.map((row) => ({ ...row, isOpen: isOpen(row.document.id) }));
  const act = (id: string, key: string): boolean => {
    const action = treeAction(openRows(), id, key);
    if (action === null) return false;
    if ("focus" in action) focusRow(action.focus);
    else if ("open" in action) setExpanded(workspace, action.open, true);
    else setExpanded(workspace, action.close, false);
    return true;
  };
  const pressed = (event: KeyboardEvent): boolean => {
    const row =
      event.target instanceof Element ? event.target.closest<HTMLElement>("[role=treeitem]") : null;
    const id = row?.dataset.document;
    const isOfRow = event.target === row || event.target instanceof HTMLAnchorElement;
    if (!row || id === undefined || !isOfRow || event.isComposing) return false;
    const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey) return false;
    if (altKey) return shiftKey && moveByKey(id, key);
    if (key === "F2") {
      const document = byId(id);
      if (document === null || !mayDocument("document.renamed", document)) return false;
      onTask({ kind: "rename", id });
      return true;
    }
    if (key === "ContextMenu" || (key === "F10" && shiftKey)) {
      openMenu(row);
      return true;
    }
    if (act(id, key)) return true;
    return [...key].length === 1 && key !== " " && type(id, key, event.timeStamp);
  };
  const handlers = useRef({ pressed, move, mayMove, byId, inside, isOpen, documents, workspace });
  useEffect(() => {
    handlers.current = { pressed, move, mayMove, byId, inside, isOpen, documents, workspace };
  });
  useEffect(() => {
    const tree = list.current;
    if (!tree) return;
    const press = (event: KeyboardEvent) => {
      if (!handlers.current.pressed(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    tree.addEventListener("keydown", press);
    const stop = letDrag(tree, () => {
      const { mayMove, inside, isOpen, documents, move, workspace } = handlers.current;
      const opened = (onto: string) => inside.has(onto) && isOpen(onto);
      return {
        mayDrag: mayMove,
        mayDrop: (id, onto, drop) =>
          moveRefusal(treeOfRows(documents), id, dropMove(inside, onto, drop, opened(onto))) ===
          null,
        onDrop: (id, onto, drop) => void move(id, dropMove(inside, onto, drop, opened(onto))),
        onWait: (onto) => inside.has(onto) && setExpanded(workspace, [onto], true),
      };
    });
    const stopPresses = watchLongPresses(tree, ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;
      if (row === null) return null;
      return () => {
        row.focus();
        openMenu(row);
        return true;
      };
    });
    return () => {
      tree.removeEventListener("keydown", press);
      stopPresses();
      stop();
    };
  }, [list]);
  return (
    task?.kind === "move" && (
      <MoveDialog
        documentId={task.id}
        onClose={() => {
          onTask(null);
          focusRow(task.id);
        }}
      />
    )
  );
}
