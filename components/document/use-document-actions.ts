"use client";

import type { LiveDocument } from "@/machines/sync/live-document";
import { copyText, uncopied } from "@/components/ui/clipboard";
import { documentMarkdown } from "@/events/content/markdown";
import { useFork } from "@/components/history/fork/use-fork";
import { useBackend } from "@/components/session/backend-provider";
import { isolated } from "@/events/core/isolated";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

type Input = {
  documentId: string;
  title: string;
  icon: string | null;
  live: LiveDocument | null;
  /** The newest version that the page knows. */
  version: number;
};

/** What can be done with a whole document from its menu; each says in a toast what came of it. */
export function useDocumentActions({ documentId, title, icon, live, version }: Input) {
  const { documentCommands } = useWorkspace("documentCommands");
  const toast = useToast();
  const fork = useFork({ documentId, title, icon, store: useBackend()?.store ?? null });
  const copy = (words: string, message: string) =>
    void copyText(words).then((done) => toast({ text: done ? message : uncopied }));
  return {
    copyLink: () => copy(`${location.origin}/d/${documentId}`, "The link is on the clipboard."),
    copyMarkdown: () => {
      if (live !== null)
        copy(documentMarkdown(title, live.fragment), "The text is on the clipboard, as Markdown.");
    },
    fork: () => void fork({ version, edit: null }),
    trash: () =>
      void documentCommands.trash(documentId).then((done) => {
        if (!done) return;
        toast({
          text: `Moved “${isolated(title)}” to trash`,
          action: {
            label: "Undo",
            instead: "It can be restored from the trash",
            onAct: () => void documentCommands.restore(documentId),
          },
        });
      }),
  } as const;
}
