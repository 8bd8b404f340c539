"use client";

import { useCallback, useMemo, useState } from "react";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { bodyOf } from "@/events/core/recorded-body";
import { moveRefusal, treeAfter, type TreeEvent } from "@/machines/document-tree";
import type { DocumentTree } from "@/machines/tree-path";
import { treeOfRows } from "./placed-documents";

/**
 * What was proposed is judged again whenever something has changed beneath it, and not shown where
 * it is illegal by now.
 */
function withProposal(tree: DocumentTree, event: TreeEvent): DocumentTree {
  const move = bodyOf(event, "document.moved");
  if (move && moveRefusal(tree, event.id, { parent: null, after: null, ...move })) return tree;
  return treeAfter(tree, event);
}

type Shown = Omit<TreeEvent, "id">;

/** Where the documents stand: as the rows have it, with what this tab proposes of it on top. */
export function useProposedTree(rows: ReadonlyMap<string, DocumentRow>) {
  const [proposed, setProposed] = useState<readonly TreeEvent[]>([]);
  const tree = useMemo(
    () => proposed.reduce(withProposal, treeOfRows([...rows.values()])),
    [rows, proposed],
  );
  /** Shows events of a document until what is answered is called. */
  const show = useCallback((id: string, events: readonly Shown[]) => {
    const own = events.map((event) => ({ ...event, id }));
    setProposed((all) => [...all, ...own]);
    return () => setProposed((all) => all.filter((event) => !own.includes(event)));
  }, []);
  return { tree, show };
}
