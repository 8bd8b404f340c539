import { type PassageRange } from '../../events/insight/passage'
import { type Place, type Script, scriptOf } from '../../events/replay/script'
import { type Mark, type Timeline } from '../../events/replay/timeline'
import { anchorPlace, field } from './anchor-place'

/** Something said about a passage, or done with a thread about it. */
export type PassageComment = { id: string; moment: number; author: number; deed: string; text: string }

const threadDeeds: Record<string, string> = { 'thread.resolved': 'resolved the thread', 'thread.reopened': 'reopened the thread' }

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.offset < other.offset)
}

function isOn(script: Script, { body }: Mark, range: PassageRange): boolean {
  const start = anchorPlace(script, field(body, 'start'))
  if (!start) return false
  const length = script.lines[start.line]?.text.length ?? 0
  const end = anchorPlace(script, field(body, 'end')) ?? { line: start.line, offset: length }
  return !isBefore(range.end, start) && !isBefore(end, range.start)
}

/** What was said about a passage, in order: the threads whose words overlap it, with their answers. */
export function commentsOn(timeline: Timeline, range: PassageRange): PassageComment[] {
  const script = scriptOf(timeline)
  const threads = new Set<string>()
  return timeline.marks.flatMap((mark) => {
    const { id, type, moment, subject, body } = mark
    if (type === 'thread.opened' && isOn(script, mark, range)) threads.add(subject.id)
    const said = (deed: string, text: string | null) => [{ id, moment, author: timeline.authorOf(moment), deed, text: text ?? '' }]
    if (type === 'comment.added' && threads.has(field(body, 'thread') ?? '')) return said('commented', field(body, 'text'))
    const deed = threadDeeds[type]
    return deed !== undefined && threads.has(subject.id) ? said(deed, null) : []
  })
}
