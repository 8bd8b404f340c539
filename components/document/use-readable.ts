"use client";

import { useEffect, useState } from "react";
import type { LiveDocument } from "@/machines/sync/live-document";

/**
 * The text as HTML that is read and not written, where this version's editor cannot hold it; null
 * until it is there, and for no document.
 */
export function useReadable(live: Pick<LiveDocument, "fragment"> | null): string | null {
  const [html, setHtml] = useState<string | null>(null);
  useEffect(() => {
    if (live === null) return;
    let gone = false;
    void import("@/events/content/static-html").then(
      ({ staticHtml }) => !gone && setHtml(staticHtml(live.fragment)),
    );
    return () => {
      gone = true;
      setHtml(null);
    };
  }, [live]);
  return html;
}
