"use client";

import type { Editor } from "@tiptap/core";
import { useCallback, useState } from "react";
import { type Anchor } from "@/events/analysis/anchors/anchor";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { longestQuote } from "@/events/core/text/text-lengths";
import { readSelection } from "@/components/editor/carets/own-selection";
import { passagesIn } from "@/components/editor/carets/passages";
import { type DraftStore } from "./draft-store";
import { type CommentedText } from "../passages/commented-text";
import { textRuns } from "../passages/text-runs";

/** A thread that is being begun: on which words, and whether just now. */
type Draft = { anchor: Anchor; fresh: boolean };

const letter = /[\p{L}\p{N}'’-]/u;

/** The stretch that is meant: what is selected, else the word at the caret, else all of its block. */
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

/** The thread whose words the caret stands in, if nothing is selected. */
function threadAtCaret({ state }: Editor): string | null {
  const { from, empty } = state.selection;
  if (!empty) return null;
  const [hit] = [...passagesIn(state)].filter(
    ([, passage]) => passage.from < from && from < passage.to,
  );
  return hit?.[0] ?? null;
}

/** The id of the passage that a thread is being begun on. */
export const drafted = "draft";

function begunOn(drafts: DraftStore): Draft | null {
  const begun = drafts.begun();
  return begun && begun.text !== "" ? { anchor: begun.anchor, fresh: false } : null;
}

type Input = { editor: Editor | null; text: CommentedText; drafts: DraftStore };

/**
 * Beginning a thread on what is selected: `begin` answers what it came to, 'again' where words of
 * another beginning wait to be sent or discarded. What is written stays in the draft store until `end`;
 * `resume` shows what has come back to it.
 */
export function useCompose({ editor, text, drafts }: Input) {
  const [draft, setDraft] = useState<Draft | null>(() => begunOn(drafts));
  const resume = useCallback(() => setDraft((before) => before ?? begunOn(drafts)), [drafts]);
  const start = useCallback(
    (anchor: Anchor, words: string) => {
      setDraft({ anchor, fresh: true });
      // Ids of a text that is made anew on the next visit would name other letters; its words are
      // found by what they are.
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
