import { readActivity, type ActivityPage } from "./activity";
import type { Rows } from "./rows";

/** What happened in a workspace as far as it is shown: pages that follow each other without a gap, newest first. */
export type ActivityFeed = readonly [newest: ActivityPage, ...earlier: ActivityPage[]];

/** So many pages of what is new are read above those that were asked for. */
const mostNew = 5;

/** Where the pages that were asked for begin; null as long as there is only the newest. */
function boundaryOf([newest, ...earlier]: ActivityFeed): number | null {
  return earlier.length === 0 ? null : newest.older;
}

/** Reads the page before what is shown; the same feed where that reaches back to the beginning. */
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
 * Reads again what is above the pages that were asked for, down to where they begin. Where too much
 * has come since, they are let go: what lies between would be missing without a word.
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
