import * as z from 'zod/mini'
import { defineAggregate, lifecycle } from '../events/aggregate'

const title = z.string().check(z.maxLength(300))
const nothing = z.strictObject({})

const schemas = {
  'document.created': z.strictObject({ workspaceId: z.guid(), title }),
  'document.renamed': z.strictObject({ title }),
  'document.edited': nothing,
  'document.reverted': z.strictObject({ toVersion: z.int().check(z.minimum(1)) }),
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
  updates: ['document.edited', 'document.reverted'],
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
    'document.trashed': () => {},
    'document.restored': () => {},
  },
})
