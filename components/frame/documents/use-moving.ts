"use client";

import { useCallback } from "react";
import { isolated } from "@/events/core/text/isolated";
import type { Move } from "@/machines/document-tree";
import { insideOf } from "@/machines/tree-rows";
import { placeOf } from "@/machines/tree-moves";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { setExpanded } from "./expanded-documents";

/** Returns a function that moves a document, expands its new parent, and offers an undo. */
export function useMoving(): (id: string, to: Move) => Promise<boolean> {
  const {
    id: workspace,
    documents,
    documentCommands,
  } = useWorkspace("id", "documents", "documentCommands");
  const toast = useToast();
  const announce = useAnnounce();
  return useCallback(
    async (id, to) => {
      const inside = insideOf(documents);
      const from = placeOf(inside, id);
      const titleOf = (which: string | null) =>
        `“${isolated(documents.find((document) => document.id === which)?.title || "Untitled")}”`;
      if (to.parent !== null) setExpanded(workspace, [to.parent], true);
      if (!(await documentCommands.move(id, to))) return false;
      if (from.parent === to.parent) {
        announce(
          `Moved ${titleOf(id)} ${to.after === null ? "to the top" : `below ${titleOf(to.after)}`}.`,
        );
        return true;
      }
      const where = to.parent === null ? "to the top level" : `into ${titleOf(to.parent)}`;
      toast({
        text: `Moved ${titleOf(id)} ${where}`,
        action: {
          label: "Undo",
          instead: "It can be moved back in the tree of documents",
          onAct: () => void documentCommands.move(id, from),
        },
      });
      return true;
    },
    [workspace, documents, documentCommands, toast, announce],
  );
}
