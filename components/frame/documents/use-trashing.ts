"use client";

import { isolated } from "@/events/core/text/isolated";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** Returns a function that moves a document to the trash and offers to undo the move. */
export function useTrashing(): (document: { id: string; title: string }) => Promise<void> {
  const { documentCommands } = useWorkspace("documentCommands");
  const toast = useToast();
  return async ({ id, title }) => {
    if (!(await documentCommands.trash(id))) return;
    toast({
      text: `Moved “${isolated(title || "Untitled")}” to trash`,
      action: {
        label: "Undo",
        instead: "It can be restored from the trash",
        onAct: () => void documentCommands.restore(id),
      },
    });
  };
}
