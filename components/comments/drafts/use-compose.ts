"use client";

import type { Editor } from "@tiptap/core";
import { useCallback, useState } from "react";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { longestQuote } from "@/events/core/text/text-lengths";
import { readSelection } from "@/components/editor/carets/own-selection";
import { passagesIn } from "@/components/editor/carets/passages";
import type { DraftStore } from "./draft-store";
import type { CommentedText } from "../passages/commented-text";
import { textRuns } from "../passages/text-runs";

/** The anchor of a new thread. `fresh` is false for a thread of an earlier visit. */
type Draft = { anchor: Anchor; fresh: boolean };

const letter = /[\p{L}\p{N}'’-]/u;

/** Returns the range to comment on: the selection, the word at the caret, or the block. */
function meant({ state }: Editor): { from: number; to: number } {
  const { from, to, empty, $from } = state.selection;
  if (!empty) return { from, to };
  const text = $from.parent.textBetween(0, $from.parent.content.size, undefined, "￼");
  const [start, end] = [$from.start(), $from.parentOffset];
  let [first, last] = [end, end];
  while (first > 0 && letter.test(text[first - 1] ?? "")) first -= 1;
  while (last < text.length && letter.test(text[last] ?? "")) last += 1;
  return first < last
    ? { from: start + first, to: start + last }
    : { from: start, to: start + text.length };
}

function anchorAt(editor: Editor, text: CommentedText): Anchor | null {
  const { from, to } = meant(editor);
  const live = liveText(text.fragment);
  const runs = textRuns(editor.state.doc, live);
  const [first, last] = [runs?.spotOf(from, 1), runs?.spotOf(to, -1)];
  return first && last ? anchorOf(live, first, last, longestQuote) : null;
}

/** Returns the thread whose words contain the caret, if nothing is selected. */
function threadAtCaret({ state }: Editor): string | null {
  const { from, empty } = state.selection;
  if (!empty) return null;
  const [hit] = [...passagesIn(state)].filter(
    ([, passage]) => passage.from < from && from < passage.to,
  );
  return hit?.[0] ?? null;
}

/** The passage id of the new thread, which has no id of its own yet. */
export const drafted = "draft";

function begunOn(drafts: DraftStore): Draft | null {
  const begun = drafts.begun();
  return begun && begun.text !== "" ? { anchor: begun.anchor, fresh: false } : null;
}

type Input = { editor: Editor | null; text: CommentedText; drafts: DraftStore };

/**
 * Starts threads on the selection. `begin` returns the outcome, which is 'again' if another unsent
 * thread must first be sent or discarded. Words stay in the draft store until `end`. `resume` shows
 * a restored draft.
 */
export function useCompose({ editor, text, drafts }: Input) {
  const [draft, setDraft] = useState<Draft | null>(() => begunOn(drafts));
  const resume = useCallback(() => setDraft((before) => before ?? begunOn(drafts)), [drafts]);
  const start = useCallback(
    (anchor: Anchor, words: string) => {
      setDraft({ anchor, fresh: true });
      // A text that is rebuilt on each visit gets new ids, so the quoted text finds its words.
      drafts.begin({
        anchor: text.lasting ? anchor : { ...anchor, start: "", end: "" },
        text: words,
      });
    },
    [drafts, text],
  );
  const begin = useCallback((): { thread: string } | "begun" | "again" | "no-words" => {
    if (editor === null || editor.isDestroyed) return "no-words";
    readSelection(editor.view);
    const thread = threadAtCaret(editor);
    if (thread !== null && thread !== drafted) return { thread };
    if (drafts.beginning.read() !== "" || thread === drafted) return "again";
    const anchor = anchorAt(editor, text);
    if (anchor === null) return "no-words";
    start(anchor, "");
    return "begun";
  }, [editor, text, drafts, start]);
  const end = useCallback(() => {
    setDraft(null);
    drafts.begin(null);
  }, [drafts]);
  return { draft, begin, start, end, resume };
}
