"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useMemo } from "react";
import type { LiveDocument } from "@/machines/sync/live-document";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { Threads } from "./threads";
import type { Comments } from "./use-comments";
import { useThreads } from "./use-threads";
import { useAnnouncements } from "./use-announcements";
import type { CommentedText } from "./passages/commented-text";
import { liveLineage } from "./lineage/text-lineage";
import type { TextLineage } from "./lineage/text-lineage";
import { useBackend } from "@/components/session/backend-provider";

type Props = {
  documentId: string;
  phase: string;
  live: LiveDocument;
  editor: Editor | null;
  comments: Comments;
  onNews: (fresh: number) => void;
};

/** Shows the comments of a document that is open in this tab, from the document's log. */
export function LiveThreads({ documentId, phase, live, editor, comments, onNews }: Props) {
  const { me, role, people } = useWorkspace("me", "role", "people");
  const commented = useThreads({ documentId, phase, userId: me.userId, role, live });
  const backend = useBackend();
  const lineage = useMemo(
    () => (backend ? liveLineage({ documentId, store: backend.store, live }) : undefined),
    [backend, documentId, live],
  );
  useEffect(() => lineage?.begin(), [lineage]);
  const text = useMemo(() => lastingText(live, lineage), [live, lineage]);
  useAnnouncements({ live, userId: me.userId, people, threads: commented.threads });
  return (
    <Threads
      documentId={documentId}
      text={text}
      commented={commented}
      revisionAddress={(version) => `?at=${version}`}
      editor={editor}
      comments={comments}
      onNews={onNews}
    />
  );
}

/** Returns the text of a live document. The text outlives replacements of the Y.Doc. */
function lastingText(live: LiveDocument, lineage: TextLineage | undefined): CommentedText {
  return {
    lasting: true,
    lineage,
    get fragment() {
      return live.fragment;
    },
  };
}
