"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { idle } from "@/components/loading/after-critical";
import { countSentence, headingsOf, type OutlineEntry, wordCounts } from "./outline";

type Outline = { entries: readonly OutlineEntry[]; counts: string };

const read = ({ state }: Editor): Outline => ({
  entries: headingsOf(state.doc),
  counts: countSentence(wordCounts(state)),
});

const isSame = (one: Outline, other: Outline) =>
  one.counts === other.counts &&
  one.entries.length === other.entries.length &&
  one.entries.every(({ at, level, words }, index) => {
    const entry = other.entries[index];
    return entry?.at === at && entry.level === level && entry.words === words;
  });

/** The headings and the words of a text, read again when the page has time after it has changed. */
export function useOutline(editor: Editor): Outline {
  const [outline, setOutline] = useState(() => read(editor));
  useEffect(() => {
    let waiting = false;
    const look = () => {
      waiting = false;
      if (editor.isDestroyed) return;
      const next = read(editor);
      setOutline((before) => (isSame(before, next) ? before : next));
    };
    const soon = () => {
      if (waiting) return;
      waiting = true;
      void idle().then(look);
    };
    soon();
    editor.on("transaction", soon);
    return () => {
      editor.off("transaction", soon);
    };
  }, [editor]);
  return outline;
}

/** Below the upper edge of the page so many pixels a heading counts as passed. */
const passed = 140;

/** The position of the heading whose section is being read; null above the first. */
export function useCurrentSection(editor: Editor, entries: readonly OutlineEntry[]): number | null {
  const [current, setCurrent] = useState<number | null>(null);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      if (editor.isDestroyed) return;
      const edge = (editor.view.dom.closest("main")?.getBoundingClientRect().top ?? 0) + passed;
      const above = entries.filter(({ at }) => {
        const element = editor.view.nodeDOM(at);
        return element instanceof Element && element.getBoundingClientRect().top <= edge;
      });
      setCurrent(above.at(-1)?.at ?? null);
    };
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    soon();
    addEventListener("scroll", soon, { capture: true, passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", soon, { capture: true });
      removeEventListener("resize", soon);
    };
  }, [editor, entries]);
  return current;
}
