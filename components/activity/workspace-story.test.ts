import { describe, expect, it } from 'vitest'
import type { Happening } from '../../events/activity'
import { readStory, storyOf } from './workspace-story'

let count = 0
function happened(type: string, fields: Partial<Happening> = {}): Happening {
  count += 1
  const stream = type.startsWith('document') ? { kind: 'document', id: 'd1' } : { kind: 'workspace', id: 'w' }
  return { id: `${count}`, type, stream, subjectId: 's', actorId: 'Ana', version: count, at: '', began: '', count: 1, body: {}, ...fields }
}

describe('the story of a workspace', () => {
  it('tells at every moment which documents there were, under which title, and who was in it [UNDERSTAND-15]', () => {
    const story = storyOf([
      happened('workspace.created', { body: { name: 'Library' } }),
      happened('document.created', { body: { title: 'Draft' } }),
      happened('member.joined', { subjectId: 'Ben' }),
      happened('document.edited', { actorId: 'Ben', count: 12 }),
      happened('document.renamed', { body: { title: 'Opening hours' } }),
      happened('document.trashed'),
      happened('document.restored'),
      happened('workspace.renamed', { body: { name: 'Village library' } }),
      happened('member.removed', { subjectId: 'Ben' }),
    ])
    expect(story.map(({ people }) => people.length)).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 1])
    expect(story.map(({ documents }) => documents.map(({ title, trashed }) => `${title}${trashed ? ' (trash)' : ''}`).join())).toEqual([
      '', 'Draft', 'Draft', 'Draft', 'Opening hours', 'Opening hours (trash)', 'Opening hours', 'Opening hours', 'Opening hours',
    ])
    expect(story.at(-1)).toMatchObject({ name: 'Village library', people: ['Ana'], documents: [{ happenings: 16 }] })
  })

  it('reads back to the beginning, or says that it did not [UNDERSTAND-15]', async () => {
    const pages = [[happened('c'), happened('b')], [happened('a')]]
    const read = (before: number | null) => {
      const at = before ?? 0
      return Promise.resolve({ happenings: pages[at] ?? [], older: at + 1 < pages.length ? at + 1 : null })
    }
    const { happenings, complete } = await readStory(read, 9)
    expect([happenings.map(({ type }) => type), complete]).toEqual([['a', 'b', 'c'], true])
    expect((await readStory(read, 1)).complete).toBe(false)
  })
})
