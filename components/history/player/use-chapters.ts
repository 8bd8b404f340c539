"use client";

import { useMemo, useState } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import { chaptersOf } from "@/components/history/playback/chapters";
import type { ChapterKind, Chapters } from "@/components/history/playback/chapters";

const none: Chapters = { by: "pause", all: [] };

/** Returns the chapters of a history by the reader's division, which is by pauses at first. */
export function useChapters(timeline: Timeline | null): [Chapters, (by: ChapterKind) => void] {
  const [by, setBy] = useState<ChapterKind>("pause");
  const chapters = useMemo(
    () => (timeline ? { by, all: chaptersOf(timeline, by) } : none),
    [timeline, by],
  );
  return [chapters, setBy];
}
