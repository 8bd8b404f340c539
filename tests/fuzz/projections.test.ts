import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { carryPayload } from '@/events/payload/carried-payload'
import { parseRow } from '@/events/envelope'
import { emptyFold, foldEvent, phaseOf, subjectOf, subjectsOf, type StreamFold } from '@/events/stream-fold'
import { streamRules } from '@/events/stream-rules'
import { bringTombstone } from '@/events/payload/tombstone-payload'
import { account } from '@/machines/account'
import { aggregates, kindOfType, law, mayEmit } from '@/machines/catalog'
import { comment } from '@/machines/comment'
import { document } from '@/machines/document'
import { invitation, invitedRoles } from '@/machines/invitation'
import { givenColors, keepsAnOwner, member, roles, type Role } from '@/machines/member'
import { thread } from '@/machines/thread'
import { version } from '@/machines/version'
import { workspace } from '@/machines/workspace'
import { testDatabase, verdict, type Draft, type TestDatabase, type User } from '../support/database'
import { accept, decline, newToken, type Invited } from '../support/workspaces'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.stop())

const streamKindOf = (type: string) => aggregates.find(({ schemas }) => type in schemas)?.streamKind ?? 'workspace'
const iso = (date: unknown) => (date instanceof Date ? date.toISOString() : null)
const toMilliseconds = (time: string) => new Date(time).toISOString()

const step = fc.record({
  who: fc.constantFrom(0, 0, 0, 1, 2, 3),
  act: fc.constantFrom('emit', 'emit', 'emit', 'emit', 'talk', 'talk', 'talk', 'invite', 'invite', 'accept', 'accept', 'decline'),
  type: fc.noBias(fc.nat(999)),
  lawful: fc.boolean(),
  pick: fc.nat(7),
  role: fc.constantFrom(...roles),
  text: fc.string({ maxLength: 6 }).map((text) => text.replaceAll('\0', '')),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** One workspace with its people and documents, as the database has it and as the TypeScript fold has it. */
class World {
  readonly people = ['Ana', 'Ben', 'Carol', 'Dora'].map((name) => db.newUser(name))
  readonly workspace = randomUUID()
  readonly documents = [randomUUID(), randomUUID()]
  /** What lives inside a document: the same id in both, for each stream has its own. */
  readonly inside = randomUUID()
  readonly threads = [randomUUID(), randomUUID()]
  readonly comments = [randomUUID(), randomUUID()]
  readonly invitations: (Invited & { email: string | null })[] = []
  readonly folds = new Map<string, StreamFold>()
  private count = 0
  readonly tally = { ok: 0, refused: 0, given: 0, free: 0 }
  /** Every phase that something has been in. */
  readonly phases = new Set<string>()

  fold(stream: string): StreamFold {
    return this.folds.get(stream) ?? emptyFold
  }

  roleOf(user: User): Role | null {
    const { phase, state } = subjectOf(this.fold(this.workspace), member, user.id)
    return phase === 'active' ? state.role : null
  }

  /** Folds what the stream has grown by, and compares every read model of it with the fold. */
  async follow(stream: string): Promise<void> {
    let fold = this.fold(stream)
    const rows = await db.sql`
      select private.as_row(e, p) as row from events e join event_payloads p on p.event_id = e.id
      where stream_id = ${stream} and e.version > ${fold.version} order by e.version`
    for (const { row } of rows) fold = foldEvent(aggregates, fold, parseRow(row))
    for (const [key, { phase }] of Object.entries(fold.subjects)) this.phases.add(`${key.split(':')[0]} ${phase}`)
    this.folds.set(stream, fold)
    await this.compare(stream)
  }

  private async compare(stream: string): Promise<void> {
    const fold = this.fold(stream)
    const phases = await db.sql<{ key: string; phase: string }[]>`select kind || ':' || id as key, phase from private.subjects where stream_id = ${stream}`
    expect(Object.fromEntries(phases.map(({ key, phase }) => [key, phase]))).toEqual(
      Object.fromEntries(Object.entries(fold.subjects).map(([key, { phase }]) => [key, phase])),
    )
    const [w] = await db.sql`select * from workspaces where id = ${stream}`
    if (w) {
      const { phase, state } = subjectOf(fold, workspace, stream)
      expect({ ...w, created_at: iso(w.created_at), updated_at: null }).toEqual({
        id: stream, name: state.name, phase, version: String(fold.version), created_by: state.createdBy, created_at: toMilliseconds(state.createdAt), updated_at: null,
        viewer_history: state.history.viewer, commenter_history: state.history.commenter,
      })
      const members = await db.sql`select user_id as id, phase, role, joined_at, given_color as color, color as worn from members where workspace_id = ${stream} order by 1`
      for (const row of members) expect(row.worn).toBe(subjectOf(this.fold(String(row.id)), account, String(row.id)).state.color ?? row.color)
      expect(members.map(({ worn: _, ...row }) => ({ ...row, joined_at: iso(row.joined_at) }))).toEqual(
        subjectsOf(fold, member).sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, folded }) => ({ id, phase: folded.phase, role: folded.state.role, joined_at: toMilliseconds(folded.state.joinedAt), color: folded.state.color })),
      )
      const invitations = await db.sql`select id, phase, kind, email, role, created_by from invitations where workspace_id = ${stream} order by 1`
      expect([...invitations]).toEqual(
        subjectsOf(fold, invitation).sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, folded: { phase, state } }) => ({ id, phase, kind: state.kind, email: state.email, role: state.role, created_by: state.createdBy })),
      )
    }
    const [d] = await db.sql`select title, phase, version, created_by, edits, workspace_id, forked_from, forked_at::int from documents where id = ${stream}`
    if (d) {
      const { phase, state } = subjectOf(fold, document, stream)
      expect(d).toEqual({ title: state.title, phase, version: String(fold.version), created_by: state.createdBy, edits: String(state.edits), workspace_id: state.workspaceId, forked_from: state.forkedFrom, forked_at: state.forkedAt })
      const versions = await db.sql`select id, phase, at::int, name, pinned, created_by, created_at from versions where document_id = ${stream} order by 1`
      expect(versions.map((row) => ({ ...row, created_at: iso(row.created_at) }))).toEqual(
        subjectsOf(fold, version).sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, folded: { phase, state } }) => ({ id, phase, at: state.at, name: state.name, pinned: phase === 'pinned', created_by: state.createdBy, created_at: toMilliseconds(state.createdAt) })),
      )
    }
    await this.compareTalk(stream)
    const [a] = await db.sql`select name, color, phase, version from accounts where user_id = ${stream}`
    if (a) {
      const { phase, state } = subjectOf(fold, account, stream)
      expect(a).toEqual({ name: state.name, color: state.color, phase, version: String(fold.version) })
      const named = await db.sql`select name, color, given_color from members where user_id = ${stream} and ${state.name} <> ''`
      for (const copy of named) expect(copy).toEqual({ name: state.name, color: state.color ?? copy.given_color, given_color: copy.given_color })
    }
  }

  private async compareTalk(stream: string): Promise<void> {
    const fold = this.fold(stream)
    const orNull = (time: string | null) => (time === null ? null : toMilliseconds(time))
    const threads = await db.sql`select id, phase, anchor_start, anchor_end, quote, opened_by, opened_at, opened_version::int, resolved_by, resolved_at from threads where document_id = ${stream} order by 1`
    expect(threads.map((row) => ({ ...row, opened_at: iso(row.opened_at), resolved_at: iso(row.resolved_at) }))).toEqual(
      subjectsOf(fold, thread).sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, folded: { phase, state } }) => ({
        id, phase, anchor_start: state.start, anchor_end: state.end, quote: state.quote, opened_by: state.openedBy, opened_at: toMilliseconds(state.openedAt), opened_version: state.openedVersion, resolved_by: state.resolvedBy, resolved_at: orNull(state.resolvedAt),
      })),
    )
    const comments = await db.sql`select id, phase, thread_id, text, author_id, added_at, edited_at from comments where document_id = ${stream} order by 1`
    expect(comments.map((row) => ({ ...row, added_at: iso(row.added_at), edited_at: iso(row.edited_at) }))).toEqual(
      subjectsOf(fold, comment).sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, folded: { phase, state } }) => ({
        id, phase, thread_id: state.thread, text: state.text, author_id: state.authorId, added_at: toMilliseconds(state.addedAt), edited_at: orNull(state.editedAt),
      })),
    )
  }

  private draft(type: string, { pick, role, text }: Step, self: User): { stream: string; draft: Draft } {
    const kind = kindOfType(type)
    const doc = this.documents[pick % 2] ?? ''
    const person = this.people[pick % 4] ?? self
    const other = this.invitations[pick % Math.max(1, this.invitations.length)]?.id ?? randomUUID()
    const stream = { account: self.id, document: doc, workspace: this.workspace }[streamKindOf(type)]
    const talk = this.threads[(pick >> 2) % 2] ?? ''
    const subjects: Record<string, Draft['subject']> = {
      member: { kind: 'member', id: type === 'member.left' ? self.id : person.id },
      invitation: { kind: 'invitation', id: other },
      version: { kind: 'version', id: this.inside },
      thread: { kind: 'thread', id: talk },
      comment: { kind: 'comment', id: this.comments[(pick >> 1) % 2] ?? '' },
    }
    const subject = subjects[kind ?? '']
    const bodies: Record<string, Draft['body']> = {
      'account.profile_changed': { name: text, color: pick > 5 ? null : pick },
      'auth.user_updated': { fields: ['email'] },
      'workspace.created': { name: text || 'W' },
      'workspace.renamed': { name: text || 'W' },
      'workspace.history_graded': { viewer: pick > 3 ? 'versions' : 'everything', commenter: pick % 2 > 0 ? 'versions' : 'everything' },
      'member.joined': { role, invitationId: other, color: pick },
      'member.role_changed': { role },
      'invitation.created': { kind: 'link', email: null, role: 'viewer', expiresAt: null, tokenHash: newToken().tokenHash },
      'document.created': { workspaceId: this.workspace, title: text },
      'document.renamed': { title: text },
      'document.reverted': { toVersion: 1 },
      'document.reworked': { kind: 'passage', author: null, from: null, to: 1, quote: 'Q' },
      'document.forked': { document: doc === this.documents[0] ? (this.documents[1] ?? '') : (this.documents[0] ?? ''), version: pick + 1 },
      'document.merged': { document: doc === this.documents[0] ? (this.documents[1] ?? '') : (this.documents[0] ?? ''), version: 1 },
      'document.redacted': { event: randomUUID(), reason: text },
      'document.imported': { document: this.inside, version: 1, head: 'a'.repeat(64), bundle: 'b'.repeat(64), events: 1, label: `${(this.count += 1)}`, authors: [] },
      'version.named': { at: pick + 1, name: text || 'V' },
      'version.renamed': { name: text || 'V' },
      'thread.opened': { start: 'AA==', end: 'AQ==', quote: text || 'Q' },
      'comment.added': { thread: talk, text: text || 'C' },
      'comment.edited': { text: text || 'C' },
    }
    const said = bodies[type]
    const source = typeof said === 'object' && said !== null && 'document' in said ? String(said.document) : null
    const bytes = type === 'document.redacted' ? bringTombstone(null) : source === null ? Uint8Array.of(0, 0) : carryPayload({ source, payload: Uint8Array.of(0, 0) })
    const update = document.updates.includes(type) ? { update: bytes } : {}
    return { stream, draft: { type, body: bodies[type] ?? {}, ...(subject && { subject }), ...update } }
  }

  /** What the TypeScript law says the database will say. */
  private predict(user: User, stream: string, { type, subject, body }: Draft): string {
    const kind = kindOfType(type) ?? ''
    const about = subject ?? { kind, id: stream }
    const fold = this.fold(stream)
    const phase = phaseOf(fold, about)
    const streamKind = streamKindOf(type)
    const begins = fold.version === 0
    if (begins && type !== `${kind}.created`) return 'not-permitted'
    const role = begins && kind === 'workspace' ? null : this.roleOf(user)
    if (!begins && kind !== 'account' && role === null) return 'not-permitted'
    if (begins && kind === 'document' && role === null) return 'not-permitted'
    if (!law.judge(kind, phase, type).ok) return 'illegal-transition'
    const host = aggregates.find((candidate) => candidate.kind === streamKind)
    if (kind !== streamKind && !host?.hosts.includes(phaseOf(fold, { kind: streamKind, id: stream }))) return 'illegal-transition'
    const isAuthor = kind === 'comment' && subjectOf(fold, comment, about.id).state.authorId === user.id
    if (!mayEmit(type, { phase, role, isSelf: about.id === user.id, isAuthor })) return 'not-permitted'
    const hope = { id: randomUUID(), type, body, subject: about, actorId: user.id, time: '' }
    if (kind === 'comment' && !streamRules(aggregates, law, { kind: 'document', id: stream }).judge(fold, hope).ok) return 'illegal-transition'
    if (kind === 'member' && type !== 'member.joined') {
      const next = type === 'member.role_changed' && typeof body === 'object' && body !== null && 'role' in body ? roles.find((known) => known === body.role) : null
      if (!keepsAnOwner(subjectsOf(fold, member), about.id, next ?? null)) return 'not-permitted'
    }
    if (type === 'version.named' && typeof body === 'object' && body !== null && 'at' in body && Number(body.at) > fold.version) return 'invalid-event'
    return this.predictCarrying(stream, { type, body })
  }

  /** A copy is a beginning (the same piece of it may come twice); a merge is of relatives. */
  private predictCarrying(stream: string, { type, body }: Pick<Draft, 'type' | 'body'>): string {
    if (type === 'document.redacted') return 'invalid-event'
    if (typeof body !== 'object' || body === null || !('document' in body)) return 'ok'
    const fold = this.fold(stream)
    const other = String(body.document)
    if (type !== 'document.merged' && fold.version > 1) return 'illegal-transition'
    if (type === 'document.imported') return 'ok'
    const source = this.fold(other)
    if (source.version === 0) return 'not-permitted'
    if (Number(body.version) > source.version) return 'invalid-event'
    const forkedFrom = (id: string) => subjectOf(this.fold(id), document, id).state.forkedFrom
    return type === 'document.forked' || forkedFrom(stream) === other || forkedFrom(other) === stream ? 'ok' : 'invalid-event'
  }

  private async wearing() {
    return db.sql<{ id: string; phase: string; color: number }[]>`select user_id as id, phase, color from members where workspace_id = ${this.workspace}`
  }

  /** Who has just come in was given a colour that none of the others wore or ever wore: here there are always free ones. */
  private judgeColor(user: User, before: { id: string; color: number }[]): void {
    const worn = before.filter(({ id }) => id !== user.id).map(({ color }) => color)
    const { color } = subjectOf(this.fold(this.workspace), member, user.id).state
    expect(worn).not.toContain(color)
    this.tally.given += 1
    if (before.some(({ id }) => id === user.id) || subjectOf(this.fold(user.id), account, user.id).state.color !== null) return
    expect(color).toBe(givenColors.find((candidate) => !worn.includes(candidate)))
    this.tally.free += 1
  }

  async run(chosen: Step): Promise<void> {
    const user = this.people[chosen.who] ?? this.people[0]
    if (!user) throw new Error('nobody')
    const note = (says: string) => (says === 'ok' ? (this.tally.ok += 1) : (this.tally.refused += 1))
    const open = this.invitations[chosen.pick % Math.max(1, this.invitations.length)]
    if (chosen.act === 'invite') {
      const { token, tokenHash } = newToken()
      const id = randomUUID()
      const email = chosen.pick % 2 === 0 ? (this.people[chosen.pick % 4]?.email ?? null) : null
      const role = invitedRoles[chosen.pick % 3] ?? 'viewer'
      const draft: Draft = { type: 'invitation.created', subject: { kind: 'invitation', id }, body: { kind: email === null ? 'link' : 'email', email, role, expiresAt: null, tokenHash } }
      const says = this.predict(user, this.workspace, draft)
      const got = verdict(await db.append(user, this.workspace, null, [draft]))
      expect({ draft, got }).toEqual({ draft, got: says })
      if (got === 'ok') this.invitations.push({ id, token, email })
      note(got)
      await this.follow(this.workspace)
    } else if (chosen.act === 'accept' || chosen.act === 'decline') {
      if (!open) return
      const act = chosen.act === 'accept' ? accept : decline
      const before = await this.wearing()
      const said = verdict(await act(db, user, open))
      note(said)
      await this.follow(this.workspace)
      if (said === 'ok' && act === accept && this.roleOf(user) !== null && !before.some((one) => one.id === user.id && one.phase === 'active')) this.judgeColor(user, before)
    } else {
      const isTalk = (kind: string) => kind === 'thread' || kind === 'comment'
      const types = aggregates.filter(({ kind }) => isTalk(kind) === (chosen.act === 'talk')).flatMap(({ schemas }) => Object.keys(schemas))
      // Half of the time what the law allows now: chance alone finds too little of it.
      const allowed = types.filter((candidate) => {
        const { stream, draft } = this.draft(candidate, chosen, user)
        return this.predict(user, stream, draft) === 'ok'
      })
      const among = chosen.lawful && allowed.length > 0 ? allowed : types
      // The kind first, so that a kind with few types has as many events as one with many.
      const kinds = [...new Set(among.map(kindOfType))]
      const ofKind = among.filter((candidate) => kindOfType(candidate) === kinds[chosen.type % kinds.length])
      const type = ofKind[Math.floor(chosen.type / kinds.length) % ofKind.length] ?? ''
      const { stream, draft } = this.draft(type, chosen, user)
      const says = this.predict(user, stream, draft)
      const got = verdict(await db.append(user, stream, null, [draft]))

      expect({ draft, phase: phaseOf(this.fold(stream), draft.subject ?? { kind: kindOfType(type) ?? '', id: stream }), role: this.roleOf(user), got }).toMatchObject({ got: says })
      note(got)
      await this.follow(stream)
      if (got === 'ok' && stream === user.id) await this.follow(this.workspace)
    }
  }
}

async function readModels(): Promise<Record<string, unknown>> {
  const tables = ['accounts', 'workspaces', 'members', 'invitations', 'documents', 'versions', 'threads', 'comments', 'private.subjects', 'private.invitation_tokens', 'private.feeds']
  const contents = await Promise.all(tables.map(async (table) => [table, [...(await db.sql.unsafe(`select to_jsonb(x) as x from ${table} x order by to_jsonb(x)::text`))].map(({ x }) => x as unknown)] as const))
  return Object.fromEntries(contents)
}

describe('the read models', () => {
  it('[LOG-14] agree with the TypeScript fold on every prefix of random histories, and so do the verdicts', async () => {
    const seed = 8
    const total = { ok: 0, refused: 0, given: 0, free: 0 }
    const worlds: World[] = []
    const histories = fc.sample(fc.array(step, { minLength: 80, maxLength: 110, size: 'max' }), { seed, numRuns: 14 })
    for (const steps of histories) {
      const world = new World()
      worlds.push(world)
      const [ana, ben] = world.people
      if (!ana || !ben) throw new Error('nobody')
      await db.append(ana, world.workspace, 0, [{ type: 'workspace.created', body: { name: 'W' } }])
      await db.append(ben, ben.id, 0, [{ type: 'account.created', body: {} }])
      const [first = ''] = world.documents
      await db.append(ana, first, 0, [{ type: 'document.created', body: { workspaceId: world.workspace, title: 'D' } }])
      for (const stream of [world.workspace, ben.id, first]) await world.follow(stream)
      for (const chosen of steps) await world.run(chosen)
      total.ok += world.tally.ok
      total.refused += world.tally.refused
      total.given += world.tally.given
      total.free += world.tally.free
    }
    const phases = new Set(worlds.flatMap((world) => [...world.phases]))
    console.log(`seed ${seed}: ${total.ok} events, ${total.refused} refusals, ${phases.size} phases, ${total.given} colours given, ${total.free} of them to newcomers`)
    expect(total.ok).toBeGreaterThan(300)
    expect(total.refused).toBeGreaterThan(150)
    expect(total.free).toBeGreaterThan(15)
    expect(total.given).toBeGreaterThan(total.free)
    expect([...phases].sort()).toEqual(['account active', 'comment deleted', 'comment shown', 'document live', 'document trashed', 'invitation accepted', 'invitation declined', 'invitation open', 'invitation revoked', 'member active', 'member left', 'member removed', 'thread open', 'thread resolved', 'version named', 'version pinned', 'workspace active'])
  })

  it('[LOG-15] are the same rows when they are rebuilt from the log', async () => {
    const before = await readModels()
    expect(Object.values(before).every((rows) => Array.isArray(rows) && rows.length > 0)).toBe(true)
    await db.sql`select rebuild_projections()`
    expect(await readModels()).toEqual(before)
  })

  it('[LOG-15] are rebuilt by the service alone', async () => {
    const mallory = db.newUser('Mallory')
    await expect(db.as(mallory, (t) => t`select rebuild_projections()`)).rejects.toThrow(/permission denied/)
    await db.sql`grant execute on function rebuild_projections() to authenticated`
    await expect(db.as(mallory, (t) => t`select rebuild_projections()`)).rejects.toThrow(/not-permitted/)
    await db.sql`revoke execute on function rebuild_projections() from authenticated`
  })
})
