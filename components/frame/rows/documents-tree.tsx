"use client";

import { useCallback, useMemo, useState } from "react";
import type { FocusEvent, KeyboardEvent } from "react";
import { afterCritical } from "@/components/loading/after-critical";
import { onDemand } from "@/components/loading/on-demand";
import { useLongList } from "@/components/ui/screen/long-list";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { aboveOf, insideOf, placedRows, rowsOf } from "@/machines/tree-rows";
import type { TreePlace } from "@/events/read-models/workspace-window";
import { setExpanded, useExpanded } from "../documents/expanded-documents";
import { TreeRow } from "./tree-row";
import type { TreeTask } from "./tree-task";
import styles from "./documents-tree.module.css";

const TreeTools = onDemand(() =>
  afterCritical()
    .then(() => import("./tree-tools"))
    .then((module) => module.TreeTools),
);
const RowTools = onDemand(() => import("./row-tools").then((module) => module.RowTools));
const RowField = onDemand(() => import("./row-tools").then((module) => module.RowField));

type Props = { shown: string | undefined; onNavigate: (() => void) | undefined };

/** Returns the row that contains an event's target. */
const rowAt = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;

/**
 * Returns the number of rows of the whole tree, given its first rows: the sum of the full lengths
 * of all open lists.
 */
function sizeOf(places: readonly TreePlace[]): number {
  const sizes = new Map(places.map(({ level, size }) => [level, size]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Shows the tree of documents. `TreeTools` adds shortcuts, dragging and menus. */
export function DocumentsTree({ shown: shownId, onNavigate }: Props) {
  const { id: workspace, documents, rest } = useWorkspace("id", "documents", "rest");
  const [stop, setStop] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [task, setTask] = useState<TreeTask | null>(null);
  const above = useMemo(
    () => aboveOf(documents, shownId).map(({ id }) => id),
    [documents, shownId],
  );
  const isOpen = useExpanded(workspace, above.join(" "));
  const inside = useMemo(() => insideOf(documents), [documents]);
  const rows = useMemo(
    () => (rest ? placedRows(rest.tree, documents, isOpen) : rowsOf(inside, isOpen)),
    [rest, documents, inside, isOpen],
  );
  const { shown, showMore, list } = useLongList(rows, {
    needed: ({ document }) => document.id === shownId,
    all: rest ? sizeOf(rest.tree) : rows.length,
  });
  const open = useCallback(
    (id: string, isNowOpen: boolean) => setExpanded(workspace, [id], isNowOpen),
    [workspace],
  );
  const isShown = (id: string | null | undefined) => shown.some((row) => row.document.id === id);
  const tabbed = [stop, shownId].find(isShown) ?? shown[0]?.document.id;

  const focus = ({ target }: FocusEvent) => {
    const { document: id } = rowAt(target)?.dataset ?? {};
    // The menu of a row is rendered in a portal, so the target of its events has no row.
    if (id === undefined) return;
    setStop(id);
    setFocused(id);
  };
  const blur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    // The related target is null while an opened menu loads. The row must then stay as it is.
    if (!(relatedTarget instanceof Element) || currentTarget.contains(relatedTarget)) return;
    if (!relatedTarget.closest("[role=menu], [role=dialog]")) setFocused(null);
  };
  const enter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.target !== rowAt(event.target)) return;
    event.preventDefault();
    rowAt(event.target)?.querySelector("a")?.click();
  };
  return (
    <>
      <ul
        ref={list}
        role="tree"
        aria-label="Documents"
        className={styles.tree}
        onFocus={focus}
        onBlur={blur}
        onKeyDown={enter}
        onPointerOver={({ target }) => setPointed(rowAt(target)?.dataset.document ?? null)}
        onPointerLeave={() => setPointed(null)}
      >
        {shown.map(({ document, level, position, size, hasInside }) => (
          <TreeRow
            key={document.id}
            id={document.id}
            title={document.title}
            icon={document.icon}
            level={level}
            position={position}
            size={size}
            open={hasInside ? isOpen(document.id) : null}
            current={document.id === shownId}
            stop={document.id === tabbed}
            onOpen={open}
            onNavigate={onNavigate}
            tools={
              (document.id === pointed || document.id === focused) && (
                <RowTools document={document} onTask={setTask} onNavigate={onNavigate} />
              )
            }
            field={
              task?.kind === "rename" && task.id === document.id ? (
                <RowField document={document} onDone={() => setTask(null)} />
              ) : undefined
            }
          />
        ))}
      </ul>
      {showMore && (
        <button
          type="button"
          className={styles.more}
          aria-label="Show more documents"
          onClick={showMore}
        >
          <span>Show more</span>
        </button>
      )}
      {/* If only a part of the documents is loaded, the targets of moves are unknown. */}
      {!rest && (
        <TreeTools
          list={list}
          rows={shown}
          inside={inside}
          isOpen={isOpen}
          task={task}
          onTask={setTask}
        />
      )}
    </>
  );
}
