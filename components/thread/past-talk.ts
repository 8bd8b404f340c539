import { type Timeline } from '../../events/replay/timeline'
import { threadsAt, type PastDiscussion } from '../../machines/past-discussion'

/** The talk that was open at a moment, and whatever was said or settled at that very moment: `now` is its id. */
export function talkAt(timeline: Timeline, index: number): { discussions: PastDiscussion[]; now: string | null } {
  const mark = timeline.marks.findLast(({ moment, subject }) => moment === index && (subject.kind === 'thread' || subject.kind === 'comment'))
  const now = mark?.subject.id ?? null
  const touched = ({ id, comments }: PastDiscussion) => id === now || comments.some((comment) => comment.id === now)
  return { discussions: threadsAt(timeline, index).filter((each) => !each.resolved || touched(each)), now }
}
