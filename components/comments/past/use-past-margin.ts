"use client";

import { useEffect, useRef, useState, type RefObject } from "react";
import { scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type PastThread } from "@/machines/past-threads";
import { marginLayout, noteGap, noteLift, layoutEvery } from "../passages/margin-layout";
import { judgedTop, markRanges, rangeOf } from "./past-ranges";

/** How much of the page stays free above and below what is brought into view, in pixels. */
const clearance = 60;

/** A note on what somebody did to a block of the text; the first of several is the newest. */
export type MarginEdit = { id: string; block: number };

type Input = {
  timeline: Timeline;
  /** The revision whose comments are shown. */
  at: number;
  moving: boolean;
  /** Whether the page goes along with what happens. */
  following: boolean;
  threads: readonly PastThread[];
  /** What was done to the text, by the blocks that it was done in. */
  edits: readonly MarginEdit[];
  /** The thread that was commented in, resolved or reopened at this revision. */
  touched: string | null;
  page: RefObject<HTMLElement | null>;
  margin: RefObject<HTMLElement | null>;
  /** Whether the notes are there. */
  shown: boolean;
};

/** Scrolls the page around an element so far that this part of the window, in its pixels, is to be seen. */
function bringIn(element: HTMLElement, { top, bottom }: { top: number; bottom: number }): void {
  const scroller = element.closest("main");
  if (!scroller) return;
  const frame = scroller.getBoundingClientRect();
  if (top >= frame.top + clearance && bottom <= frame.bottom - clearance) return;
  // Of what is higher than the page the beginning is shown.
  const by = Math.min((top + bottom - frame.top - frame.bottom) / 2, top - frame.top - clearance);
  scroller.scrollBy({ top: by, behavior: "instant" });
}

/**
 * Where the notes beside a past revision's text stand, by thread. They are measured again whenever
 * the revision, the text in the page, the notes or the window change; the note of the comment made
 * at this revision is brought into view.
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
  // Who comes from the present stays where they were in the text.
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
      // Comments stand beside their words; what is said of edits goes where they leave room.
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
      // On a phone notes follow the text; beside it, this one goes to where it was just laid out.
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
    // Blocks of a long text come and go as it is scrolled, and every one of them as it plays.
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
