import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase, type User } from '../support/database'
import { granted, join, newDocument, newWorkspace } from '../support/workspaces'

let db: TestDatabase
let ana: User
let document: string

beforeAll(async () => {
  db = await testDatabase()
  ana = db.newUser('Ana')
  document = await newDocument(db, ana, await newWorkspace(db, ana))
  granted(await db.append(ana, document, 1, [{ type: 'document.renamed', body: { title: 'a' } }, { type: 'document.renamed', body: { title: 'b' } }]))
})
afterAll(() => db.stop())

const write = (version: number, state = 'AQI=') =>
  db.sql.begin(async (sql) => {
    await sql`set local role service_role`
    await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`
    await sql`select write_snapshot(${document}, ${version}, ${state})`
  })
const read = async (user: User, at: number | null = null) => {
  const [row] = await db.as(user, (t) => t`select read_snapshot(${document}, ${at}) as snapshot`)
  return row?.snapshot as unknown
}

it('[LOG-24] stores a state at a version that the log has reached', async () => {
  await write(2)
  await write(3, 'AwQF')
  await expect(write(4)).rejects.toThrow('invalid-event')
  await expect(write(0)).rejects.toThrow('invalid-event')
  await expect(write(2, '?')).rejects.toThrow('invalid-event')
  expect(await read(ana)).toEqual({ version: 3, state: 'AwQF' })
  expect(await read(ana, 2)).toEqual({ version: 2, state: 'AQI=' })
  expect(await read(ana, 1)).toBeNull()
})

it('[LOG-24] is written by the service alone and read by members alone', async () => {
  const [mallory, carol] = [db.newUser('Mallory'), db.newUser('Carol')]
  const [{ workspace_id: workspace } = { workspace_id: '' }] = await db.sql<{ workspace_id: string }[]>`select workspace_id from documents where id = ${document}`
  await join(db, ana, workspace, carol, 'viewer')
  expect(await read(carol)).toMatchObject({ version: 3 })
  expect(await read(mallory)).toBeNull()
  await expect(db.as(ana, (t) => t`select write_snapshot(${document}, 1, 'AQI=')`)).rejects.toThrow(/permission denied/)
})
