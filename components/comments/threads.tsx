"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { deviceStorage } from "@/events/device/comment-drafts";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { CommentBubble } from "./comment-bubble";
import { DiscussionContext } from "./discussion-context";
import { DraftNote } from "./drafts/draft-note";
import { draftStore } from "./drafts/draft-store";
import { drafted, useCompose } from "./drafts/use-compose";
import { useRecovered } from "./drafts/use-recovered";
import type { CommentedText } from "./passages/commented-text";
import { goTo, leaveTo } from "./passages/text-place";
import { useHighlights } from "./passages/use-highlights";
import { useMargin } from "./passages/use-margin";
import { usePassages } from "./passages/use-passages";
import { quoteWords } from "./quote-words";
import { ThreadList } from "./thread-list";
import { ThreadNote } from "./thread-note";
import { ThreadsFrame } from "./threads-frame";
import type { Comments } from "./use-comments";
import { useNewComments } from "./use-new-comments";
import { useRequests } from "./use-requests";
import { useSelectedThread } from "./use-selected-thread";
import type { ThreadsModel } from "./use-threads";

const headHeight = 44;
/** Returns a function that announces an action to screen readers, and later its refusal. */
function useAnnouncedAction() {
  const announce = useAnnounce();
  return (sentence: string, done: Promise<{ ok: boolean }>) => {
    announce(sentence);
    void done.then(({ ok }) => !ok && announce(`${sentence}: this was refused`));
    return done;
  };
}

type Props = {
  documentId: string;
  /** The commented text, in which the anchors are resolved. */
  text: CommentedText;
  commented: ThreadsModel;
  /** Returns the URL of a version's revision. Null if the reader may not see revisions. */
  revisionAddress: ((version: number) => string) | null;
  editor: Editor | null;
  comments: Comments;
  onNews: (fresh: number) => void;
};

/** Shows the live comments of a document as notes beside their words, or in a sheet on phones. */
export function Threads({
  documentId,
  text: shownText,
  commented,
  revisionAddress,
  editor,
  comments,
  onNews,
}: Props) {
  const { me } = useWorkspace("me");
  const { request, shown: visible, setShown: setVisible } = comments;
  const narrow = useNarrow();
  const announceAction = useAnnouncedAction();
  const { threads, commentActions, mayComment, mayChange } = commented;
  const [drafts] = useState(() => draftStore(deviceStorage(), me.userId, documentId));
  const { draft, begin, start, end, resume } = useCompose({ editor, text: shownText, drafts });
  const [recalled, setRecalled] = useState(0);
  const selected = useSelectedThread();
  const { filter, setFilter, active } = selected;
  const margin = useRef<HTMLElement>(null);

  const { isNew, fresh } = useNewComments({ userId: me.userId, documentId, threads, visible });
  useEffect(() => onNews(fresh), [fresh, onNews]);

  const listed = useMemo(
    () => (threads ?? []).filter(({ resolved }) => resolved === (filter === "resolved")),
    [threads, filter],
  );
  const highlights = useHighlights({
    threads: visible || narrow ? listed : null,
    active: active.id,
    draft: draft?.anchor ?? null,
  });
  const places = usePassages(editor, shownText, highlights);
  const order = (id: string) => places.get(id)?.position ?? Number.MAX_SAFE_INTEGER;
  const ordered = listed.toSorted((a, b) => order(a.id) - order(b.id));
  const tops = useMargin({
    editor: visible && !narrow ? editor : null,
    margin,
    places,
    held: active.id ?? (draft ? drafted : null),
    begin: threads?.length ? headHeight : 0,
  });

  useRecovered({ drafts, threads, userId: me.userId, resume });
  // A note without a computed top is hidden and cannot receive the focus.
  const placed = (id: string) => narrow || tops.has(id);

  useRequests({
    request,
    threads: editor === null ? null : threads,
    begin: mayComment ? begin : null,
    selected,
    onUnfinished: () => setRecalled((times) => times + 1),
  });

  const leave = (id: string) => {
    selected.clear();
    if (narrow) setVisible(false);
    leaveTo(editor, id);
  };
  const open = (text: string) => {
    if (draft === null) return;
    const { thread, done } = commentActions.open(draft.anchor, text);
    drafts.beginning.sent(text, done);
    end();
    setFilter("open");
    selected.activate(thread);
    void announceAction("Comment added", done);
    leaveTo(editor, drafted);
    // A refusal restores the words to the field.
    void done.then(({ ok }) => !ok && start(draft.anchor, text));
  };
  const notes = ordered.map((thread) => ({
    id: thread.id,
    note: (
      <ThreadNote
        thread={thread}
        gone={places.get(thread.id)?.gone ?? false}
        active={
          active.id === thread.id
            ? { ...active, focusRequests: placed(thread.id) ? active.focusRequests : 0 }
            : null
        }
        // The first comment of a thread is the event after its opening.
        then={
          thread.openedVersion > 0 ? (revisionAddress?.(thread.openedVersion + 1) ?? null) : null
        }
        onActivate={() => selected.activate(thread.id)}
        onShow={() => {
          const stood = places.get(thread.id)?.position ?? null;
          // If the place in the text is unknown, the thread itself receives the focus.
          if (stood === null) return selected.focus(thread.id);
          if (narrow) setVisible(false);
          goTo(editor, thread.id, stood);
        }}
        onLeave={() => leave(thread.id)}
        // The note unmounts, so the focus moves to the commented words.
        onResolved={() => (narrow ? selected.clear() : leave(thread.id))}
        onReopened={() => {
          setFilter("open");
          selected.focus(thread.id);
        }}
      />
    ),
  }));
  const writing = draft && {
    id: drafted,
    note: (
      <DraftNote
        key={`${draft.anchor.start} ${draft.anchor.quote}`}
        quote={quoteWords(draft.anchor.quote)}
        focused={draft.fresh && placed(drafted)}
        focusRequests={recalled}
        draft={drafts.beginning}
        onSubmit={open}
        onCancel={(discarded) => {
          if (discarded || drafts.beginning.read() === "") end();
          leave(drafted);
        }}
      />
    ),
  };
  const at = writing ? notes.findIndex(({ id }) => order(id) > order(drafted)) : -1;
  const all = writing ? notes.toSpliced(at < 0 ? notes.length : at, 0, writing) : notes;
  const counts = { open: 0, resolved: 0 };
  for (const { resolved } of threads ?? []) counts[resolved ? "resolved" : "open"] += 1;
  return (
    <>
      {editor !== null && mayComment && !editor.isEditable && (
        <CommentBubble editor={editor} onComment={comments.compose} />
      )}
      <ThreadsFrame
        narrow={narrow}
        open={visible && threads !== null}
        margin={margin}
        onSheet={(next) => {
          setVisible(next);
          if (!next && drafts.beginning.read() === "") end();
        }}
        onSheetLeft={() => leaveTo(editor, active.id ?? drafted)}
      >
        <DiscussionContext
          value={{ commentActions, mayComment, mayChange, isNew, drafts, announceAction }}
        >
          <ThreadList
            shown={filter}
            counts={counts}
            onShown={setFilter}
            listed={all}
            tops={narrow ? null : tops}
            hint={mayComment ? "No comments yet. Select text to add one." : "No comments yet."}
          />
        </DiscussionContext>
      </ThreadsFrame>
    </>
  );
}
