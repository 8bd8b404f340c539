"use client";

import { useEffect, useState } from "react";
import { importWithRetry } from "@/components/loading/retrying-import";
import type { LiveDocument } from "@/machines/sync/live-document";

type Text = Pick<LiveDocument, "fragment" | "onReplaced">;

/** The text is rendered whole, so that changes of so many milliseconds are shown together. */
const pause = 250;
/** And of so many more, the larger it is: whoever goes on writing must not take the page's time. */
const lettersPerMs = 1_000;

/**
 * Calls `show`, which answers how many letters it has rendered, now and after whatever changes the
 * text; answers the function that ends it.
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
 * The text as HTML that is read and not written, where this version's editor cannot hold it, as it
 * is now; null until it is there, and for no document.
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
