import { type Span } from "@/events/history/timeline/timing-map";
import { type Timeline } from "@/events/history/timeline/timeline";

export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;
export type Speed = (typeof speeds)[number];

/** A revision by its event's version and its edit within it; the last edit, without one. */
export type Address = { version: number; edit: number | null };

/** A stretch of a history, from the revision of one address to that of another. */
export type Stretch = { from: Address; to: Address };

/**
 * How a history is to be opened: null for `at` is the newest revision, null for `range` the whole,
 * without `within` (milliseconds) its own pace.
 */
export type Opening = {
  at: Address | null;
  range: Stretch | null;
  play: boolean;
  speed: Speed;
  within?: number | null;
};

/** The revision an address names, or the nearest before it. */
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

/** The address of a revision: that of its version alone, where it is the last of it. */
export function addressAt(timeline: Timeline, index: number): Address {
  const { version, edit } = timeline.revision(index);
  return { version, edit: timeline.ofVersion(version) === index ? null : edit };
}

/** The revisions of the range that is to be opened, as far as a timeline goes; null for all of them. */
export function spanOf(timeline: Timeline, { range }: Opening): Span | null {
  if (!range) return null;
  const [from = 0, to = 0] = [
    revisionOf(timeline, range.from),
    revisionOf(timeline, range.to),
  ].sort((a, b) => a - b);
  return { from, to };
}
