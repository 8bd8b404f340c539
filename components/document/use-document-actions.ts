"use client";

import type { LiveDocument } from "@/machines/sync/live-document";
import { copyText, uncopied } from "@/components/ui/clipboard";
import { linkNames } from "@/components/editor/document-links/link-names";
import { linkWriting } from "@/events/content/markdown-writing";
import { copiedMarkdown } from "@/events/content/markdown";
import { duplicate, fork, useCopying } from "@/components/frame/use-copying";
import { lastInside, placeBehind } from "@/machines/tree-moves";
import { insideOf } from "@/machines/tree-rows";
import { useBeginDocument } from "@/components/frame/use-new-document";
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
  const { documentCommands, documents } = useWorkspace("documentCommands", "documents");
  const toast = useToast();
  const copying = useCopying();
  const begin = useBeginDocument();
  const source = { documentId, title, icon, store: useBackend()?.store ?? null };
  const now = { version, edit: null };
  const copy = (words: string, message: string) =>
    void copyText(words).then((done) => toast({ text: done ? message : uncopied }));
  return {
    copyLink: () => copy(`${location.origin}/d/${documentId}`, "Link copied"),
    copyMarkdown: () => {
      if (live !== null)
        copy(
          copiedMarkdown(title, live.fragment, linkWriting(linkNames.nameOf, location.origin)),
          "Copied as Markdown",
        );
    },
    fork: () => void copying(source, fork, now),
    duplicate: () =>
      void copying(source, duplicate(placeBehind(insideOf(documents), documentId)), now),
    beginInside: () => begin({ place: lastInside(insideOf(documents), documentId) }),
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
