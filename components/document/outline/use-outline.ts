"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useRef, useState } from "react";
import { idle } from "@/components/loading/after-critical";
import { firstWhere } from "@/events/core/binary-search";
import { countSentence, headingsOf, identified, wordCounts } from "./outline";
import type { IdentifiedEntry } from "./outline";

type Outline = { entries: readonly IdentifiedEntry[]; counts: string };

const read = ({ state }: Editor, before: Outline["entries"]): Outline => ({
  entries: identified(before, headingsOf(state.doc)),
  counts: countSentence(wordCounts(state)),
});

const isSame = (one: Outline, other: Outline) =>
  one.counts === other.counts &&
  one.entries.length === other.entries.length &&
  one.entries.every(({ id, at, level, words }, index) => {
    const entry = other.entries[index];
    return entry?.id === id && entry.at === at && entry.level === level && entry.words === words;
  });

/** Returns a text's headings and word counts, read when the page is idle after a change. */
export function useOutline(editor: Editor): Outline {
  const [outline, setOutline] = useState(() => read(editor, []));
  const latest = useRef(outline);
  useEffect(() => {
    let waiting = false;
    const look = () => {
      waiting = false;
      if (editor.isDestroyed) return;
      const next = read(editor, latest.current.entries);
      if (isSame(latest.current, next)) return;
      latest.current = next;
      setOutline(next);
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

/** The distance in px below the page's upper edge at which a heading counts as passed. */
const passed = 140;

/** Returns the number of headings above a line of the page. */
const countAbove = ({ view }: Editor, entries: Outline["entries"], line: number): number =>
  firstWhere(0, entries.length, (index) => {
    const element = view.nodeDOM(entries[index]?.at ?? 0);
    // A removed heading counts as below. The headings will be read again soon.
    return !(element instanceof Element) || element.getBoundingClientRect().top > line;
  });

/** Returns the id of the current section's heading, or null above the first heading. */
export function useCurrentSection(editor: Editor, entries: Outline["entries"]): number | null {
  const [current, setCurrent] = useState<number | null>(null);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      if (editor.isDestroyed) return;
      const edge = (editor.view.dom.closest("main")?.getBoundingClientRect().top ?? 0) + passed;
      setCurrent(entries[countAbove(editor, entries, edge) - 1]?.id ?? null);
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
