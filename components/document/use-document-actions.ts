"use client";

import type { LiveDocument } from "@/machines/actors/live-document";
import { copyText, uncopied } from "../clipboard";
import { markdownOf } from "../editor/markdown";
import { useFork } from "../fork/use-fork";
import { useBackend } from "../session/backend-provider";
import { isolated } from "../ui/isolated";
import { useToast } from "../ui/toast";
import { useWorkspace } from "../workspace/workspace-context";

type Input = {
  documentId: string;
  title: string;
  live: LiveDocument | null;
  /** The newest version that the page knows. */
  version: number;
};

/** What can be done with a whole document from its menu; each says in a toast what came of it. */
export function useDocumentActions({ documentId, title, live, version }: Input) {
  const { documents } = useWorkspace();
  const toast = useToast();
  const fork = useFork({ documentId, title, store: useBackend()?.store ?? null });
  const copy = (words: string, said: string) =>
    void copyText(words).then((done) => toast({ text: done ? said : uncopied }));
  return {
    copyLink: () => copy(`${location.origin}/d/${documentId}`, "The link is on the clipboard."),
    copyMarkdown: () => {
      if (live !== null)
        copy(
          `# ${title}\n\n${markdownOf(live.fragment)}`,
          "The text is on the clipboard, as Markdown.",
        );
    },
    fork: () => void fork({ version, edit: null }),
    trash: () =>
      void documents.trash(documentId).then((done) => {
        if (!done) return;
        toast({
          text: `Moved “${isolated(title)}” to trash`,
          action: {
            label: "Undo",
            instead: "It can be restored from the trash",
            onAct: () => void documents.restore(documentId),
          },
        });
      }),
  } as const;
}
