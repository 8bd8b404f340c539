"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useMemo, useRef } from "react";
import type { CommentThread } from "@/machines/comment-thread";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { firstName } from "@/events/read-models/person";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { Threads } from "../threads";
import { quoteWords } from "../quote-words";
import type { Comments } from "../use-comments";
import { useRestrictedThreads } from "./use-restricted-threads";
import type { PlainText } from "./use-plain-text";

type Props = {
  documentId: string;
  phase: string;
  plain: PlainText;
  editor: Editor | null;
  comments: Comments;
  onNews: (fresh: number) => void;
  onCommented: () => void;
};

/** Shows the comments of a document to a reader who may not see its history. */
export function RestrictedThreads({
  documentId,
  phase,
  plain,
  editor,
  comments,
  onNews,
  onCommented,
}: Props) {
  const { me, role } = useWorkspace("me", "role");
  const commented = useRestrictedThreads({
    documentId,
    phase,
    userId: me.userId,
    role,
    plain,
    onCommented,
  });
  const { fragment } = plain.text;
  const text = useMemo(() => ({ fragment, lasting: false }), [fragment]);
  useNewsOf(commented.threads ?? []);
  return (
    <Threads
      documentId={documentId}
      text={text}
      commented={commented}
      revisionAddress={null}
      editor={editor}
      comments={comments}
      onNews={onNews}
    />
  );
}

/** Announces new comments by others to screen readers. */
function useNewsOf(threads: readonly CommentThread[]): void {
  const announce = useAnnounce();
  const { me, people } = useWorkspace("me", "people");
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const all = threads.flatMap(({ anchor, comments }) =>
      comments.map((comment, nth) => ({ ...comment, nth, quote: anchor.quote })),
    );
    const before = known.current;
    known.current = new Set(all.map(({ id }) => id));
    if (before === null) return;
    for (const { id, authorId, nth, quote } of all) {
      if (before.has(id) || authorId === me.userId) continue;
      const person = people.get(authorId);
      announce(
        `${person ? firstName(person) : "Somebody"} ` +
          `${nth === 0 ? "commented" : "replied"} on “${quoteWords(quote)}”`,
      );
    }
  }, [threads, announce, me.userId, people]);
}
