import { readActivity } from "./activity";
import type { ActivityPage } from "./activity";
import type { Rows } from "./rows";

/** The displayed activity of a workspace in contiguous pages, newest first. */
export type ActivityFeed = readonly [newest: ActivityPage, ...earlier: ActivityPage[]];

/** The most pages of new activity that are read before the loaded pages. */
const mostNew = 5;

/** Returns the position where the loaded pages begin, or null if only the newest is loaded. */
function boundaryOf([newest, ...earlier]: ActivityFeed): number | null {
  return earlier.length === 0 ? null : newest.older;
}

/**
 * Reads the page before the displayed ones. Returns the same feed if the log has no earlier
 * activity.
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
 * Reads new activity again, down to the beginning of the loaded pages. If there is too much of it,
 * the loaded pages are dropped rather than leaving a silent gap.
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
