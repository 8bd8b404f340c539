"use client";

import { useEffect, useState } from "react";
import { importWithRetry } from "@/components/loading/retrying-import";
import type { LiveDocument } from "@/machines/sync/live-document";

type Text = Pick<LiveDocument, "fragment" | "onReplaced">;

/** The pause before the text is rendered again as a whole, in ms. */
const pause = 250;
/**
 * The number of letters that add one ms to the pause, because rendering a long text must not delay
 * a person who types.
 */
const lettersPerMs = 1_000;

/**
 * Calls `show` now and after every change of the text. `show` returns the number of rendered
 * letters. Returns the function that stops.
 */
function follow(live: Text, show: () => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        letters = show();
      },
      pause + letters / lettersPerMs,
    );
  };
  let { fragment } = live;
  fragment.observeDeep(later);
  const stopHearing = live.onReplaced(() => {
    fragment.unobserveDeep(later);
    ({ fragment } = live);
    fragment.observeDeep(later);
    later();
  });
  let letters = show();
  return () => {
    clearTimeout(timer);
    stopHearing();
    fragment.unobserveDeep(later);
  };
}

/**
 * Returns the current text as read-only HTML, for content that this version's editor cannot
 * represent. Null until the text is rendered, and without a document.
 */
export function useReadable(live: Text | null): string | null {
  const [html, setHtml] = useState<string | null>(null);
  useEffect(() => {
    if (live === null) return;
    let gone = false;
    let stop = () => {};
    void importWithRetry(() => import("@/events/content/static-html")).then(({ staticHtml }) => {
      const show = () => {
        const rendered = staticHtml(live.fragment);
        setHtml(rendered);
        return rendered.length;
      };
      if (!gone) stop = follow(live, show);
    });
    return () => {
      gone = true;
      stop();
      setHtml(null);
    };
  }, [live]);
  return html;
}
