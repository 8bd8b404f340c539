"use client";

import type { LiveDocument } from "@/machines/sync/live-document";
import { linkNames } from "@/components/editor/document-links/link-names";
import { importWithRetry } from "@/components/loading/retrying-import";
import { duplicate, fork, useCopying } from "@/components/frame/documents/use-copying";
import { lastInside, placeBehind } from "@/machines/tree-moves";
import { insideOf } from "@/machines/tree-rows";
import { useBeginDocument } from "@/components/frame/documents/use-new-document";
import { useTrashing } from "@/components/frame/documents/use-trashing";
import { useBackend } from "@/components/session/backend-provider";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

type Input = {
  documentId: string;
  title: string;
  icon: string | null;
  live: LiveDocument | null;
  /** The newest version that the page has seen. */
  version: number;
};

/** Loads the Markdown export, called when its button appears so that a press copies at once. */
export const fetchCopying = () => importWithRetry(() => import("../downloads/copied-markdown"));

/** Returns the actions of a document's menu. Each reports its result in a toast. */
export function useDocumentActions({ documentId, title, icon, live, version }: Input) {
  const { documents } = useWorkspace("documents");
  const copying = useCopying();
  const begin = useBeginDocument();
  const source = { documentId, title, icon, store: useBackend()?.store ?? null };
  const now = { version, edit: null };
  const copy = useCopyText();
  const trashing = useTrashing();
  return {
    copyLink: () => void copy(`${location.origin}/d/${documentId}`, "Link copied"),
    copyMarkdown: () => {
      if (live === null) return;
      const links = { nameOf: linkNames.nameOf, origin: location.origin };
      void fetchCopying().then(({ copiedMarkdown }) =>
        copy(copiedMarkdown(title, live.fragment, links), "Copied as Markdown"),
      );
    },
    fork: () => void copying(source, fork, now),
    duplicate: () =>
      void copying(source, duplicate(placeBehind(insideOf(documents), documentId)), now),
    beginInside: () => begin({ place: lastInside(insideOf(documents), documentId) }),
    trash: () => void trashing({ id: documentId, title }),
  } as const;
}
