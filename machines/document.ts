import * as z from 'zod/mini'
import { defineAggregate, lifecycle } from '../events/aggregate'

const title = z.string().check(z.maxLength(300))
const nothing = z.strictObject({})
const version = z.int().check(z.minimum(1))

/** What can be taken back apart from a whole moment. */
export const reworkings = ['passage', 'author'] as const

const schemas = {
  'document.created': z.strictObject({ workspaceId: z.guid(), title }),
  'document.renamed': z.strictObject({ title }),
  'document.edited': nothing,
  'document.reverted': z.strictObject({ toVersion: version }),
  /**
   * `passage`: a passage reads again as it did at version `to`, `quote` being how it begins; `author` and `from` are null.
   * `author`: what `author` wrote and deleted in the events `from` to `to` is taken back; `quote` is null.
   */
  'document.reworked': z.strictObject({
    kind: z.enum(reworkings),
    author: z.nullable(z.guid()),
    from: z.nullable(version),
    to: version,
    quote: z.nullable(z.string().check(z.maxLength(300))),
  }),
  'document.trashed': nothing,
  'document.restored': nothing,
}

const toLive = { target: 'live', meta: { right: 'editor' } } as const

const machine = lifecycle(schemas).createMachine({
  id: 'document',
  initial: 'absent',
  states: {
    absent: { on: { 'document.created': toLive } },
    live: {
      on: {
        'document.renamed': toLive,
        'document.edited': toLive,
        'document.reverted': toLive,
        'document.reworked': toLive,
        'document.trashed': { target: 'trashed', meta: { right: 'editor' } },
      },
    },
    trashed: { on: { 'document.restored': toLive } },
  },
})

export type Document = { workspaceId: string; title: string; createdBy: string; createdAt: string; edits: number }

export const document = defineAggregate({
  kind: 'document',
  streamKind: 'document',
  schemas,
  hosts: ['live'],
  updates: ['document.edited', 'document.reverted', 'document.reworked'],
  machine,
  initial: (): Document => ({ workspaceId: '', title: '', createdBy: '', createdAt: '', edits: 0 }),
  reducers: {
    'document.created': (draft, body, moment) => {
      draft.workspaceId = body.workspaceId
      draft.title = body.title
      draft.createdBy = moment.actorId
      draft.createdAt = moment.recordedAt
    },
    'document.renamed': (draft, body) => {
      draft.title = body.title
    },
    'document.edited': (draft) => {
      draft.edits += 1
    },
    'document.reverted': () => {},
    'document.reworked': () => {},
    'document.trashed': () => {},
    'document.restored': () => {},
  },
})
