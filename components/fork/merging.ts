import { requestsOf, type Carried } from '../../events/lineage/carry'
import { compareMoments, type Comparison } from '../../events/comparison/comparison'
import { mergeOf } from '../../events/lineage/fork'
import { openTimeline, type Timeline, type TimelineRow } from '../../events/replay/timeline'
import { handsOf } from '../compare/hands'
import { roleOf } from '../compare/node-roles'

/** What is to be brought from one document into another, request by request, and the difference that it makes there. */
export type Merging = { requests: Carried[][]; body: { document: string; version: number }; comparison: Comparison; timeline: Timeline }

/**
 * Prepares a merge from the rows of two documents that share their beginning; null where the one has nothing that the
 * other lacks. The timeline is that of `into` as it will be.
 */
export function mergingOf(from: { id: string; rows: readonly TimelineRow[] }, into: readonly TimelineRow[], userId: string): Merging | null {
  const pieces = mergeOf(from.rows, into, from.id)
  const [first, last] = [into[0], into.at(-1)]
  if (pieces.length === 0 || !first || !last) return null
  const body = { document: from.id, version: from.rows.length }
  const rows = pieces.map((piece, index) => ({ ...first, ...piece, body, type: 'document.merged', version: last.version + 1 + index, actorId: userId, clientTime: last.recordedAt, recordedAt: last.recordedAt }))
  const now = openTimeline(into)
  const timeline = openTimeline([...into, ...rows])
  return { requests: requestsOf(pieces), body, timeline, comparison: compareMoments(handsOf(timeline, new Map()).source, now.length - 1, timeline.length - 1, roleOf) }
}
