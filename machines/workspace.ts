import * as z from 'zod/mini'
import { defineAggregate, lifecycle } from '../events/aggregate'

const name = z.string().check(z.minLength(1), z.maxLength(120))

const schemas = {
  'workspace.created': z.strictObject({ name }),
  'workspace.renamed': z.strictObject({ name }),
}

const machine = lifecycle(schemas).createMachine({
  id: 'workspace',
  initial: 'absent',
  states: {
    absent: { on: { 'workspace.created': { target: 'active', meta: { right: 'anyone' } } } },
    active: { on: { 'workspace.renamed': { target: 'active', meta: { right: 'owner' } } } },
  },
})

export type Workspace = { name: string; createdBy: string; createdAt: string }

export const workspace = defineAggregate({
  kind: 'workspace',
  streamKind: 'workspace',
  schemas,
  hosts: ['active'],
  updates: [],
  machine,
  initial: (): Workspace => ({ name: '', createdBy: '', createdAt: '' }),
  reducers: {
    'workspace.created': (draft, body, moment) => {
      draft.name = body.name
      draft.createdBy = moment.actorId
      draft.createdAt = moment.recordedAt
    },
    'workspace.renamed': (draft, body) => {
      draft.name = body.name
    },
  },
})
