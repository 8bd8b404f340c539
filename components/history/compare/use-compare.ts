"use client";

import { useRef, useState } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import { revisionOf } from "@/machines/replay/replay-opening";
import { indexNow } from "@/components/history/playback/replay-context";
import type { ReplayActor } from "@/components/history/playback/replay-context";
import type { CompareRequest } from "@/components/history/playback/revision-address";
import { namedRevisions } from "@/components/history/words/revision-choices";

/**
 * Returns the default revision to compare with. For a past revision, that is the newest one. For
 * the newest revision, it is the last named version or the beginning of the last session.
 */
function otherThan(timeline: Timeline, index: number): number {
  const last = timeline.length - 1;
  if (index < last) return last;
  const named = [...namedRevisions(timeline).keys()].filter((revision) => revision < last);
  const session = timeline.timingMap.sessions.at(-1);
  return named.length > 0 ? Math.max(...named) : Math.max(0, (session?.from ?? 0) - 1);
}

/** Returns a comparison's query string. The newest revision is called "now", and remains so. */
export function compareAddress(timeline: Timeline, one: number, other: number): string {
  const place = (index: number, name: string, edit: string) => {
    const revision = timeline.revision(index);
    return (
      `${name}=${revision.version}` +
      (timeline.ofVersion(revision.version) === index ? "" : `&${edit}=${revision.edit}`)
    );
  };
  const newer = Math.max(one, other);
  const upTo = newer === timeline.length - 1 ? "with=now" : place(newer, "with", "edit");
  return `?${place(Math.min(one, other), "compare", "since")}&${upTo}`;
}

/** Steps to the next or previous change of a comparison. */
export type StepChanges = (by: -1 | 1) => void;

/** Holds whether the player compares, and with which revision. The comparison sets `steps`. */
export function useCompare(actor: ReplayActor, timeline: Timeline | null, opening: CompareRequest) {
  const [other, setOther] = useState<number | null>(null);
  const [seen, setSeen] = useState<{ timeline: Timeline | null; opening: CompareRequest } | null>(
    null,
  );
  if (seen?.timeline !== timeline || seen.opening !== opening) {
    setSeen({ timeline, opening });
    setOther(
      timeline === null || opening.compare === null ? null : revisionOf(timeline, opening.compare),
    );
  }
  const steps = useRef<StepChanges | null>(null);
  return {
    other,
    steps,
    step: (by: -1 | 1) => steps.current?.(by),
    compareWith: setOther,
    close: () => setOther(null),
    toggle: () =>
      timeline && setOther(other === null ? otherThan(timeline, indexNow(actor)) : null),
  };
}

export type Comparing = ReturnType<typeof useCompare>;
