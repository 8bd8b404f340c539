"use client";

import type { Editor } from "@tiptap/core";
import { useMemo } from "react";
import { type LiveDocument } from "@/machines/sync/live-document";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { Discussions } from "./threads";
import { type Comments } from "./use-comments";
import { useDiscussions } from "./use-threads";
import { useHearsay } from "./use-announcements";
import { type TalkedText } from "./commented-text";

type Props = {
  documentId: string;
  phase: string;
  live: LiveDocument;
  editor: Editor | null;
  comments: Comments;
  onNews: (fresh: number) => void;
};

/** The talk about a document that is open in this tab, as its log tells it. */
export function LiveDiscussions({ documentId, phase, live, editor, comments, onNews }: Props) {
  const { me, role, people } = useWorkspace();
  const talked = useDiscussions({ documentId, phase, userId: me.userId, role, live });
  const text = useMemo(() => lastingText(live), [live]);
  useHearsay({ live, userId: me.userId, people, discussions: talked.discussions });
  return (
    <Discussions
      documentId={documentId}
      text={text}
      talked={talked}
      momentOf={(version) => `?at=${version}`}
      editor={editor}
      comments={comments}
      onNews={onNews}
    />
  );
}

/** The text of a live document, whatever it is replaced by. */
function lastingText(live: LiveDocument): TalkedText {
  return {
    lasting: true,
    get fragment() {
      return live.fragment;
    },
  };
}
