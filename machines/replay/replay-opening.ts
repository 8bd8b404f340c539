import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";

export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;
export type Speed = (typeof speeds)[number];

/** A revision, as its event's version and the edit within the event. Null means the last edit. */
export type Address = { version: number; edit: number | null };

/** A stretch of a history between the revisions of two addresses. */
export type Stretch = { from: Address; to: Address };

/**
 * How to open a history. A null `at` means the newest revision, and a null `range` the whole
 * history. Without `within` (ms), the history plays at its own pace.
 */
export type Opening = {
  at: Address | null;
  range: Stretch | null;
  play: boolean;
  speed: Speed;
  within?: number | null;
};

/** Returns the revision that an address names, or the nearest one before it. */
export function revisionOf(timeline: Timeline, { version, edit }: Address): number {
  const last = timeline.ofVersion(version);
  if (edit === null) return last;
  let index = last;
  while (
    index > 0 &&
    timeline.revision(index).version === version &&
    timeline.revision(index).edit > edit
  )
    index -= 1;
  return timeline.revision(index).version === version ? index : last;
}

/** Returns the address of a revision. `edit` is null if the revision is the last of its version. */
export function addressAt(timeline: Timeline, index: number): Address {
  const { version, edit } = timeline.revision(index);
  return { version, edit: timeline.ofVersion(version) === index ? null : edit };
}

/** Returns the opened range as revisions of this timeline, or null for the whole history. */
export function spanOf(timeline: Timeline, { range }: Opening): Span | null {
  if (!range) return null;
  const [from = 0, to = 0] = [
    revisionOf(timeline, range.from),
    revisionOf(timeline, range.to),
  ].sort((a, b) => a - b);
  return { from, to };
}
