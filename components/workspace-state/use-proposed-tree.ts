"use client";

import { useCallback, useMemo, useState } from "react";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { bodyOf } from "@/events/core/recorded-body";
import { moveRefusal, treeAfter } from "@/machines/document-tree";
import type { TreeEvent } from "@/machines/document-tree";
import type { DocumentTree } from "@/machines/tree-path";
import { treeOfRows } from "./placed-documents";

/** Applies a proposal to the current tree. A proposal that has become illegal is not shown. */
function withProposal(tree: DocumentTree, event: TreeEvent): DocumentTree {
  const move = bodyOf(event, "document.moved");
  if (move && moveRefusal(tree, event.id, { parent: null, after: null, ...move })) return tree;
  return treeAfter(tree, event);
}

type Shown = Omit<TreeEvent, "id">;

/** Returns the tree of documents from the rows, with this tab's proposals on top. */
export function useProposedTree(rows: ReadonlyMap<string, DocumentRow>) {
  const [proposed, setProposed] = useState<readonly TreeEvent[]>([]);
  const tree = useMemo(
    () => proposed.reduce(withProposal, treeOfRows([...rows.values()])),
    [rows, proposed],
  );
  /** Shows events on a document until the returned function is called. */
  const show = useCallback((id: string, events: readonly Shown[]) => {
    const own = events.map((event) => ({ ...event, id }));
    setProposed((all) => [...all, ...own]);
    return () => setProposed((all) => all.filter((event) => !own.includes(event)));
  }, []);
  return { tree, show };
}
