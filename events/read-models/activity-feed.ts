import { readActivity } from "./activity";
import type { ActivityPage } from "./activity";
import type { Rows } from "./rows";

/** The displayed activity of a workspace: contiguous pages, newest first. */
export type ActivityFeed = readonly [newest: ActivityPage, ...earlier: ActivityPage[]];

/** The most pages of new activity that are read above the loaded ones. */
const mostNew = 5;

/** Where the loaded pages begin; null while there is only the newest. */
function boundaryOf([newest, ...earlier]: ActivityFeed): number | null {
  return earlier.length === 0 ? null : newest.older;
}

/**
 * Reads the page before the displayed ones; returns the same feed if that reaches the beginning.
 */
export async function withEarlier(
  rows: Rows,
  workspaceId: string,
  feed: ActivityFeed,
): Promise<ActivityFeed> {
  const older = (feed.at(-1) ?? feed[0]).older;
  if (older === null) return feed;
  return [...feed, await readActivity(rows, workspaceId, older)];
}

/**
 * Re-reads what is above the loaded pages, down to where they begin. If too much is new, the loaded
 * pages are dropped rather than leaving a silent gap.
 */
export async function withNewest(
  rows: Rows,
  workspaceId: string,
  feed: ActivityFeed,
): Promise<ActivityFeed> {
  const boundary = boundaryOf(feed);
  const first = await readActivity(rows, workspaceId, null, { from: boundary ?? 0 });
  if (boundary === null) return [first];
  const happenings = [...first.happenings];
  let { older, since } = first;
  for (let page = 1; page < mostNew && older !== null; page += 1) {
    const next = await readActivity(rows, workspaceId, older, { from: boundary });
    happenings.push(...next.happenings);
    ({ older, since } = next);
  }
  const [, ...earlier] = feed;
  return older === null ? [{ happenings, older: boundary, since }, ...earlier] : [first];
}
