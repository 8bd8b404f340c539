"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { CommentBubble } from "./comment-bubble";
import { DraftNote } from "./drafts/draft-note";
import { deviceStorage } from "@/events/device/comment-drafts";
import { draftStore } from "./drafts/draft-store";
import { quoteWords } from "./quote-words";
import { goTo, leaveTo } from "./passages/text-place";
import { ThreadList, type Shown } from "./thread-list";
import { ThreadNote } from "./thread-note";
import { ThreadsFrame } from "./threads-frame";
import { type CommentsRequest, type Comments } from "./use-comments";
import { drafted, useCompose } from "./drafts/use-compose";
import { type ThreadsModel } from "./use-threads";
import { useMargin } from "./passages/use-margin";
import { type CommentedText } from "./passages/commented-text";
import { type PassageHighlight } from "./passages/passage-places";
import { usePassages } from "./passages/use-passages";
import { useRecovered } from "./drafts/use-recovered";
import { useNewComments } from "./use-new-comments";
import styles from "./threads.module.css";

/**
 * The active thread, the number of focus requests (0: none), and whether its reply field takes the
 * focus.
 */
type Active = { id: string | null; focusRequests: number; answering: boolean };

const none: Active = { id: null, focusRequests: 0, answering: false };
const headHeight = 44;
const unfinished = "You are writing another comment. Send it or discard it first.";
const unwelcome =
  "You can read this document, but not comment on it. Ask an owner of the workspace if you need to.";

type Props = {
  documentId: string;
  /** The commented text, which contains the anchors. */
  text: CommentedText;
  commented: ThreadsModel;
  /** The URL of a version's revision; null when the reader may not see revisions. */
  revisionAddress: ((version: number) => string) | null;
  editor: Editor | null;
  comments: Comments;
  onNews: (fresh: number) => void;
};

/**
 * The live comments on a document: notes in the margin beside their words, or a sheet on phones.
 */
export function Threads({
  documentId,
  text: shownText,
  commented,
  revisionAddress,
  editor,
  comments,
  onNews,
}: Props) {
  const { me, people, clock } = useWorkspace("me", "people", "clock");
  const { request, shown: visible, setShown: setVisible } = comments;
  const narrow = useNarrow();
  const announce = useAnnounce();
  const toast = useToast();
  const { threads, commentActions, mayComment, mayChange } = commented;
  const [drafts] = useState(() => draftStore(deviceStorage(), me.userId, documentId));
  const { draft, begin, start, end, resume } = useCompose({ editor, text: shownText, drafts });
  const [recalled, setRecalled] = useState(0);
  const [filter, setFilter] = useState<Shown>("open");
  const [active, setActive] = useState<Active>(none);
  const margin = useRef<HTMLElement>(null);

  const { isNew, fresh } = useNewComments({ userId: me.userId, documentId, threads, visible });
  useEffect(() => onNews(fresh), [fresh, onNews]);

  const listed = useMemo(
    () => (threads ?? []).filter(({ resolved }) => resolved === (filter === "resolved")),
    [threads, filter],
  );
  const highlights = useMemo((): PassageHighlight[] => {
    if (!visible && !narrow) return [];
    const marks = listed.map(({ id, anchor, resolved }) => {
      const look =
        id === active.id
          ? `${styles.noted} ${styles.open}`
          : resolved
            ? `${styles.noted} ${styles.quiet}`
            : styles.noted;
      return { id, anchor, className: look ?? "" };
    });
    return draft
      ? [
          ...marks,
          { id: drafted, anchor: draft.anchor, className: `${styles.noted} ${styles.open}` },
        ]
      : marks;
  }, [listed, active.id, draft, visible, narrow]);
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
  // A note without a place is hidden, and a hidden note cannot take the focus.
  const placed = (id: string) => narrow || tops.has(id);

  const ready = threads !== null && editor !== null;
  const answer = useEffectEvent((question: CommentsRequest) => {
    const began = question.what === "compose" && mayComment ? begin() : null;
    if (question.what === "compose" && (began === null || began === "no-words")) {
      return toast({
        text: mayComment ? "Select some text to comment on." : unwelcome,
      });
    }
    if (began === "again") {
      toast({ text: unfinished });
      setFilter("open");
      setActive(none);
      return setRecalled((times) => times + 1);
    }
    const thread = began !== null && typeof began === "object" ? began.thread : question.thread;
    const found = threads?.find(({ id }) => id === thread);
    if (!found) return setActive(none);
    setFilter(found.resolved ? "resolved" : "open");
    // After a click on the words the focus stays in the text; the shortcut moves it to the thread.
    const answering = question.what === "compose";
    setActive(({ focusRequests: times }) => ({
      id: found.id,
      focusRequests: answering || narrow ? times + 1 : 0,
      answering,
    }));
  });
  // Each request is answered once, also one from before this component was mounted.
  const answered = useRef(0);
  useEffect(() => {
    if (request === null || !ready || request.nth === answered.current) return;
    answered.current = request.nth;
    answer(request);
  }, [request, ready]);

  const leave = (id: string) => {
    setActive(none);
    if (narrow) setVisible(false);
    leaveTo(editor, id);
  };
  const announceAction = (sentence: string, done: Promise<{ ok: boolean }>) => {
    announce(sentence);
    void done.then(({ ok }) => !ok && announce(`${sentence}: this was refused`));
    return done;
  };
  const open = (text: string) => {
    if (draft === null) return;
    const { thread, done } = commentActions.open(draft.anchor, text);
    drafts.beginning.sent(text, done);
    end();
    setFilter("open");
    setActive({ ...none, id: thread });
    void announceAction("Comment added", done);
    leaveTo(editor, drafted);
    // A refusal returns the words.
    void done.then(({ ok }) => !ok && start(draft.anchor, text));
  };
  const notes = ordered.map((thread) => ({
    id: thread.id,
    note: (
      <ThreadNote
        thread={thread}
        gone={places.get(thread.id)?.gone ?? false}
        active={active.id === thread.id}
        focusRequests={active.id === thread.id && placed(thread.id) ? active.focusRequests : 0}
        answering={active.answering}
        people={people}
        clock={clock}
        commentActions={commentActions}
        mayComment={mayComment}
        mayChange={mayChange}
        isNew={isNew}
        // Its first comment is the next event.
        then={
          thread.openedVersion > 0 ? (revisionAddress?.(thread.openedVersion + 1) ?? null) : null
        }
        onActivate={() => setActive({ ...none, id: thread.id })}
        onShow={() => {
          const stood = places.get(thread.id)?.position ?? null;
          // Without a place in the text, the thread itself takes the focus.
          if (stood === null)
            return setActive(({ focusRequests: times }) => ({
              id: thread.id,
              focusRequests: times + 1,
              answering: false,
            }));
          if (narrow) setVisible(false);
          goTo(editor, thread.id, stood);
        }}
        onLeave={() => leave(thread.id)}
        // The note unmounts, so the focus moves to its words.
        onResolved={() => (narrow ? setActive(none) : leave(thread.id))}
        onReopened={() => {
          setFilter("open");
          setActive(({ focusRequests: times }) => ({
            id: thread.id,
            focusRequests: times + 1,
            answering: false,
          }));
        }}
        drafts={drafts}
        onAnnounce={announceAction}
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
  const list = (
    <ThreadList
      shown={filter}
      counts={counts}
      onShown={setFilter}
      listed={all}
      tops={narrow ? null : tops}
      hint={mayComment ? "No comments yet. Select text to add one." : "No comments yet."}
    />
  );
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
        {list}
      </ThreadsFrame>
    </>
  );
}
