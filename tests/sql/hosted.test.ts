import { randomUUID } from 'node:crypto'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyMigrations } from '@/supabase/local/migrations'
import { applyProjectSchema } from '@/supabase/local/project-schema'
import { testDatabase, type TestDatabase } from '../support/database'

let db: TestDatabase
let admin: Sql
let owner: Sql

// On a hosted project migrations run as a role that is no superuser: it owns what it makes, passes row level security, and is a
// member of the role that owns realtime.messages.
beforeAll(async () => {
  db = await testDatabase()
  await db.sql.unsafe('create database hosted')
  const at = (user: string) => {
    const url = new URL(db.url)
    url.pathname = '/hosted'
    if (user !== 'postgres') [url.username, url.password] = [user, 'x']
    return postgres(url.href, { max: 2, onnotice: () => undefined })
  }
  admin = at('postgres')
  await applyProjectSchema(admin)
  await admin.unsafe(`
    create role project_owner login bypassrls createrole password 'x';
    grant anon, authenticated, service_role, supabase_realtime_admin to project_owner;
    grant create on database hosted to project_owner;
    grant all on schema public to project_owner;
    grant usage on schema auth, realtime, extensions to project_owner;
    grant all on realtime.messages to project_owner;
    alter table auth.sessions enable row level security;
    grant all on auth.sessions to project_owner;
    alter table auth.users enable row level security;
    grant select on auth.users to project_owner`)
  owner = at('project_owner')
})
afterAll(async () => {
  await owner.end()
  await admin.end()
  await db.stop()
})

it('[LOG-13] the migrations need no superuser, and the log works and is guarded without one', async () => {
  expect((await applyMigrations(owner)).length).toBeGreaterThan(10)
  const user = randomUUID()
  const workspace = randomUUID()
  await owner.begin(async (sql) => {
    await sql`set local role authenticated`
    await sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: user, role: 'authenticated', email: 'ana@example.com' })}, true)`
    const events = JSON.stringify([{ id: randomUUID(), type: 'workspace.created', body: '{"name":"W"}' }])
    await sql`select append_events(${workspace}, 0, ${events}::text::jsonb)`
    const [row] = await sql`select stream_topic(${workspace}) as topic, (select role from members where workspace_id = ${workspace}) as role`
    expect(row).toEqual({ topic: `workspace:${workspace}:0`, role: 'owner' })
  })
  const [sent] = await admin`select count(*)::int as messages from realtime.messages where event = 'log'`
  expect(sent?.messages).toBe(1)
  for (const text of ['delete from events', 'truncate events cascade', `update events set type = 'x'`]) await expect(owner.unsafe(text)).rejects.toThrow('append-only')
})

it('[ACC-14] a person reads and ends their own sessions, in a table of the authentication service', async () => {
  const [user, here, there] = [randomUUID(), randomUUID(), randomUUID()]
  await admin`insert into auth.users (id) values (${user})`
  for (const id of [here, there]) await admin`insert into auth.sessions (id, user_id, created_at) values (${id}, ${user}, now())`
  await owner.begin(async (sql) => {
    await sql`set local role authenticated`
    await sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: user, role: 'authenticated', session_id: here })}, true)`
    const [row] = await sql`select end_session(${there}) as ended`
    expect(row?.ended).toBe(true)
    const [rest] = await sql`select jsonb_array_length(read_sessions()) as count`
    expect(rest?.count).toBe(1)
  })
  expect([...(await admin`select id from auth.sessions`)]).toEqual([{ id: here }])
})
