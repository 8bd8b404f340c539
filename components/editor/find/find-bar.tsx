"use client";

import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { CaseSensitive, ChevronDown, ChevronUp, Search, WholeWord, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import type { FindRequest } from "./find-request";
import { foundWords } from "./found-words";
import { longestQuery } from "./hits";
import { useFind } from "./use-find";
import { useStillLines } from "./use-still-lines";
import styles from "./find-bar.module.css";

/** Returns the selected words if they can be used as a query. */
function selectedWords({ state }: Editor): string | null {
  const { selection, doc } = state;
  if (!(selection instanceof TextSelection) || selection.empty) return null;
  if (!selection.$from.sameParent(selection.$to)) return null;
  const words = doc.textBetween(selection.from, selection.to, undefined, "\n");
  return words.length <= longestQuery && !words.includes("\n") ? words : null;
}

type Props = { editor: Editor; writes: boolean; request: FindRequest; onClose: () => void };

/** Finds words in the text and, for editors, replaces them. The caret does not move. */
export function FindBar({ editor, writes, request, onClose }: Props) {
  const [query, setQuery] = useState(() => ({
    words: selectedWords(editor) ?? "",
    matchCase: false,
    wholeWords: false,
  }));
  const [replacement, setReplacement] = useState("");
  const [replaced, setReplaced] = useState<number | null>(null);
  const bar = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const other = useRef<HTMLInputElement>(null);
  const { found, step, replace, replaceAll, current } = useFind(editor, query);
  useStillLines(bar);
  const [answered, setAnswered] = useState(request.nth);
  if (answered !== request.nth) {
    setAnswered(request.nth);
    const words = selectedWords(editor);
    if (words !== null) setQuery({ ...query, words });
  }
  useEffect(() => {
    const first = request.what === "replace" && other.current ? other.current : field.current;
    first?.focus({ preventScroll: true });
    first?.select();
  }, [request]);

  const ask = (change: Partial<typeof query>) => {
    setReplaced(null);
    setQuery({ ...query, ...change });
  };
  const leave = (selected: boolean) => {
    const hit = selected ? current() : null;
    onClose();
    if (editor.isDestroyed) return;
    const { state, view } = editor;
    if (hit)
      view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, hit.from, hit.to)));
    if (editor.isEditable) view.focus();
    else view.dom.focus({ preventScroll: true });
  };
  const go = (by: 1 | -1) => {
    setReplaced(null);
    step(by);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") leave(false);
    else if (event.key === "Enter" && event.altKey) leave(true);
    else if (event.key === "Enter" && event.target === field.current) go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === other.current) one();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const one = () => {
    setReplaced(null);
    replace(replacement);
  };
  const none = found.count === 0;
  return (
    <section ref={bar} aria-label="Find" className={styles.bar} onKeyDown={onKeyDown}>
      <div className={styles.field}>
        <Icon of={Search} />
        <input
          ref={field}
          aria-label="Find"
          placeholder="Find"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={longestQuery}
          value={query.words}
          onChange={(event) => ask({ words: event.target.value })}
        />
        <span role="status" className={styles.count}>
          {replaced === null ? foundWords(query.words, found) : `${replaced} replaced`}
        </span>
      </div>
      <div className={styles.steps}>
        <Button
          look="quiet"
          icon
          aria-label="Previous"
          title="Previous (Shift Enter)"
          aria-disabled={none || undefined}
          onClick={() => go(-1)}
        >
          <Icon of={ChevronUp} />
        </Button>
        <Button
          look="quiet"
          icon
          aria-label="Next"
          title="Next (Enter)"
          aria-disabled={none || undefined}
          onClick={() => go(1)}
        >
          <Icon of={ChevronDown} />
        </Button>
      </div>
      {writes && (
        <div className={styles.replacing}>
          <input
            ref={other}
            className={styles.field}
            aria-label="Replace with"
            placeholder="Replace with"
            autoComplete="off"
            value={replacement}
            onChange={(event) => setReplacement(event.target.value)}
          />
          <Button look="edge" aria-disabled={none || undefined} onClick={() => !none && one()}>
            Replace
          </Button>
          <Button
            look="quiet"
            aria-disabled={none || undefined}
            onClick={() => !none && setReplaced(replaceAll(replacement))}
          >
            Replace all
          </Button>
        </div>
      )}
      <div className={styles.options}>
        <Button
          look="quiet"
          icon
          aria-label="Match case"
          title="Match case"
          aria-pressed={query.matchCase}
          onClick={() => ask({ matchCase: !query.matchCase })}
        >
          <Icon of={CaseSensitive} />
        </Button>
        <Button
          look="quiet"
          icon
          aria-label="Whole words"
          title="Whole words"
          aria-pressed={query.wholeWords}
          onClick={() => ask({ wholeWords: !query.wholeWords })}
        >
          <Icon of={WholeWord} />
        </Button>
      </div>
      <Button
        look="quiet"
        icon
        className={styles.close}
        aria-label="Close"
        title="Close (Esc)"
        onClick={() => leave(false)}
      >
        <Icon of={X} />
      </Button>
    </section>
  );
}
