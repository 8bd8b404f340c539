"use client";

import { useCommands } from "@/components/commands/command-handlers";
import type { Comments } from "@/components/comments/use-comments";
import { caretSettings, setCarets } from "@/components/presence/caret-settings";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { openSearch, setAnalysis } from "@/components/history/analysis/model/analysis-state";
import type { MoreProps } from "./more-items";
import { useDocumentActions } from "./use-document-actions";
import { useFading } from "./use-fading";

type Props = MoreProps & { comments: Comments };

/** Registers the actions of a document's bar and menu as commands. */
export function DocumentCommands({ onDialog, comments, may, onFind, ...document }: Props) {
  useFading();
  const { copyLink, copyMarkdown, fork, duplicate, beginInside, trash } =
    useDocumentActions(document);
  const { favourites, personal } = useWorkspace("favourites", "personal");
  const { documentId } = document;
  const isFavourite = favourites.includes(documentId);
  useCommands({
    newInside: beginInside,
    move: () => onDialog("move"),
    favourite: isFavourite ? undefined : () => personal.favour(documentId, true),
    unfavourite: isFavourite ? () => personal.favour(documentId, false) : undefined,
    duplicate,
    share: () => onDialog("share"),
    versions: () => onDialog("versions"),
    find: onFind ? () => onFind("find") : undefined,
    outline: onFind ? () => onDialog("outline") : undefined,
    comments: () => comments.setShown(!comments.shown),
    authors: () => setAnalysis({ view: "authors", tinted: true }),
    searchHistory: openSearch,
    changes: () => setAnalysis({ view: "account", since: null }),
    copyLink,
    copyMarkdown,
    icon: () => onDialog("icon"),
    fork,
    verify: () => onDialog("verify"),
    export: () => onDialog("export"),
    trash,
    carets: () => setCarets("others", !caretSettings().others),
    ownCaret: may("document.edited") ? () => setCarets("own", !caretSettings().own) : undefined,
  });
  return null;
}
