"use client";

import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { PastThread } from "@/machines/past-threads";
import { marginLayout, noteGap, noteLift, layoutEvery } from "../passages/margin-layout";
import { judgedTop, markRanges, rangeOf } from "./past-ranges";

/** The space above and below a note that is scrolled into view, in px. */
const clearance = 60;

/** A note on an edit of a block. Of several notes on one block, the first is the newest. */
export type MarginEdit = { id: string; block: number };

type Input = {
  timeline: Timeline;
  /** The revision whose comments are shown. */
  at: number;
  moving: boolean;
  /** Whether the page scrolls along with the changes. */
  following: boolean;
  threads: readonly PastThread[];
  /** The notes on edits, by block. */
  edits: readonly MarginEdit[];
  /** The thread that was commented on, resolved or reopened at this revision. */
  touched: string | null;
  page: RefObject<HTMLElement | null>;
  margin: RefObject<HTMLElement | null>;
  /** Whether the notes are rendered. */
  shown: boolean;
};

/** Scrolls around an element until the range `top` to `bottom` of the viewport is visible. */
function bringIn(element: HTMLElement, { top, bottom }: { top: number; bottom: number }): void {
  const scroller = element.closest("main");
  if (!scroller) return;
  const frame = scroller.getBoundingClientRect();
  if (top >= frame.top + clearance && bottom <= frame.bottom - clearance) return;
  // A range that is taller than the viewport is aligned at its top.
  const by = Math.min((top + bottom - frame.top - frame.bottom) / 2, top - frame.top - clearance);
  scroller.scrollBy({ top: by, behavior: "instant" });
}

/**
 * Returns the tops of the notes beside a past revision, by thread. The tops are measured again when
 * the revision, the rendered text, the notes or the window changes. The note of this revision's
 * comment is scrolled into view.
 */
export function usePastMargin({
  timeline,
  at,
  moving,
  following,
  threads,
  edits,
  touched,
  page,
  margin,
  shown,
}: Input): ReadonlyMap<string, number> {
  const [tops, setTops] = useState<ReadonlyMap<string, number>>(new Map());
  // A reader who opens the past from the live text keeps their place.
  const brought = useRef(at === timeline.length - 1 ? at : null);
  useEffect(() => {
    const text = page.current;
    if (text === null) return;
    const measure = () => {
      const script = scriptOf(timeline);
      const ranges = new Map(
        threads.flatMap(({ id, where }) => {
          const range = rangeOf(text, script, at, where);
          return range ? [[id, range] as const] : [];
        }),
      );
      markRanges([...ranges.values()]);
      const aside = margin.current;
      if (aside === null) return;
      const origin = aside.getBoundingClientRect().top;
      const end = text.getBoundingClientRect().bottom - origin;
      const notes = new Map(
        [...aside.querySelectorAll<HTMLElement>("[data-note]")].map((note) => [
          note.dataset.note ?? "",
          note,
        ]),
      );
      const judged = ({ where }: PastThread) => {
        const spot = where.state === "gone" ? where.at : where.from;
        const textblock = spot && script.textblocks[spot.textblock];
        return textblock ? judgedTop(text, textblock.block, timeline.blocks.length) : null;
      };
      const wanted = threads.flatMap((thread) => {
        const note = notes.get(thread.id);
        const top = ranges.get(thread.id)?.getBoundingClientRect().top ?? judged(thread);
        return note
          ? [
              {
                id: thread.id,
                top: top === null ? end : top - origin - noteLift,
                height: note.offsetHeight,
              },
            ]
          : [];
      });
      const edited = edits.flatMap(({ id, block }, nth) => {
        const note = notes.get(id);
        const caret = nth === 0 ? text.querySelector(".caret.at") : null;
        const place = caret ?? text.querySelector(`[data-block="${block}"]`);
        return note && place
          ? [
              {
                id,
                top: place.getBoundingClientRect().top - origin - noteLift,
                height: note.offsetHeight,
              },
            ]
          : [];
      });
      const legend = aside.parentElement?.querySelector("[data-legend]");
      const begin = Math.max(
        0,
        ...[...(legend?.children ?? [])].map(
          (part) => part.getBoundingClientRect().bottom - origin + noteGap,
        ),
      );
      const next = marginLayout(
        wanted.toSorted((a, b) => a.top - b.top),
        touched,
        noteGap,
        begin,
      );
      // Comments are placed beside their words. Notes on edits fill the remaining room.
      const placed = wanted.map(({ id, height }) => ({ top: next.get(id) ?? 0, height }));
      for (const { id, top: at, height } of edited) {
        let top = Math.max(begin, at);
        for (const other of placed.toSorted((a, b) => a.top - b.top))
          if (top < other.top + other.height + noteGap && other.top < top + height + noteGap)
            top = other.top + other.height + noteGap;
        placed.push({ top, height });
        next.set(id, top);
      }
      setTops((before) =>
        before.size === next.size && [...before].every(([id, top]) => next.get(id) === top)
          ? before
          : next,
      );
      const note =
        touched === null || !following || brought.current === at ? undefined : notes.get(touched);
      if (following) brought.current = at;
      if (!note) return;
      // On phones, notes follow the text. Elsewhere, the note is at its computed top.
      const follows = getComputedStyle(note).position === "static";
      const top = follows
        ? note.getBoundingClientRect().top
        : origin + (next.get(touched ?? "") ?? 0);
      bringIn(text, { top, bottom: top + note.offsetHeight });
    };
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    // Scrolling a long text changes the rendered blocks. Playback changes all blocks.
    const changed = () => {
      if (!moving) return soon();
      timer ??= setTimeout(() => {
        timer = undefined;
        soon();
      }, layoutEvery);
    };
    const blocks = new MutationObserver(changed);
    blocks.observe(text, { childList: true });
    const sizes = new ResizeObserver(changed);
    for (const element of [text, ...(margin.current?.querySelectorAll("[data-note]") ?? [])])
      sizes.observe(element);
    soon();
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      blocks.disconnect();
      sizes.disconnect();
    };
  }, [timeline, threads, edits, touched, at, moving, following, page, margin, shown]);
  useEffect(() => () => markRanges([]), []);
  return tops;
}
