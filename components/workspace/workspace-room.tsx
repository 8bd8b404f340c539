'use client'

import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { PresenceEntry } from '../../events/channel'
import type { Json, Subject } from '../../events/envelope'
import type { Outcome } from '../../events/live-stream'
import type { InvitationRow, MemberRow } from '../../events/projections'
import { membersOf } from '../../events/projections'
import { phaseOf, subjectOf, subjectsOf } from '../../events/stream-fold'
import { mayEmit } from '../../machines/catalog'
import { invitation } from '../../machines/invitation'
import { keepsAnOwner, member, type Role } from '../../machines/member'
import { workspace as workspaceKind } from '../../machines/workspace'
import { useDocuments, type Documents } from '../document-list/use-documents'
import { byDocument, whoIsOnline, type Online } from '../presence/online'
import type { Person } from '../presence/person'
import { useIdle } from '../presence/use-idle'
import { useBackend } from '../session/backend-provider'
import { useClock, type Clock } from '../use-clock'
import { useStream, type Access } from '../use-stream'
import { foldOfWorkspace, type WorkspaceSnapshot } from './snapshot'

export type MemberView = Person & { email: string | null; role: Role; joinedAt: string }
export type InvitationView = Omit<InvitationRow, 'createdAt' | 'expiresAt'> & { expiresAt: number | null }

export type WorkspaceView = {
  id: string
  name: string
  createdAt: string
  me: Person
  clock: Clock
  /** The reader's role; null when they are no member any more. */
  role: Role | null
  access: Access
  workspaces: readonly { id: string; name: string }[]
  /** Active members, longest-standing first. */
  members: readonly MemberView[]
  /** Everybody who ever was a member, for names beside what they did. */
  people: ReadonlyMap<string, Person>
  invitations: readonly InvitationView[]
  documents: Documents
  /** Grows whenever anything in the workspace was heard to have happened. */
  heard: number
  online: readonly Online[]
  inDocument: ReadonlyMap<string, readonly Online[]>
  act: (type: string, body: Json, subject?: Subject) => Promise<Outcome>
  /** Whether the law would take this event about this subject from the reader now. */
  may: (type: string, subject?: Subject) => boolean
  keepsAnOwner: (userId: string, nextRole: Role | null) => boolean
}

const Context = createContext<WorkspaceView | null>(null)

/** The live workspace around the component. */
export function useWorkspace(): WorkspaceView {
  const view = use(Context)
  if (!view) throw new Error('useWorkspace is for the inside of WorkspaceRoom')
  return view
}

type Props = { initial: WorkspaceSnapshot; /** The document that this page shows. */ here?: string | null; children: ReactNode }

const asPerson = ({ userId, name, color }: MemberRow): Person => ({ userId, name, color })

/** Keeps one workspace live for everything inside: its stream, its documents, who is online. */
export function WorkspaceRoom({ initial, here = null, children }: Props) {
  const { me } = initial
  const { id } = initial.workspace
  const backend = useBackend()
  const [rows, setRows] = useState(initial.members)
  const [entries, setEntries] = useState<readonly PresenceEntry[]>([])
  const [since] = useState(() => Date.now())
  const idle = useIdle()
  const clock = useClock(initial.clock)
  const [first] = useState(() => foldOfWorkspace(initial))
  const [notices, setNotices] = useState(0)
  const documents = useDocuments(initial, id, me.userId)
  const subject = useMemo(() => ({ kind: 'workspace', id }), [id])
  const { fold, act, access } = useStream({
    stream: subject,
    userId: me.userId,
    initial: first,
    onNotice: (notice) => {
      setNotices((count) => count + 1)
      documents.heard(notice)
    },
    onPresence: setEntries,
    say: { userId: me.userId, documentId: here, state: idle ? 'idle' : 'active', since },
  })

  const known = useMemo(() => new Map(rows.map((row) => [row.userId, row])), [rows])
  const active = useMemo(() => subjectsOf(fold, member).filter(({ folded }) => folded.phase === 'active'), [fold])
  const strangers = active.some(({ id: userId }) => !known.has(userId))
  useEffect(() => {
    if (!backend || !strangers) return
    let wanted = true
    void membersOf(backend.rows, id).then((read) => {
      if (wanted) setRows(read)
    })
    return () => {
      wanted = false
    }
  }, [backend, id, strangers])

  const people = useMemo(() => new Map(rows.map((row) => [row.userId, asPerson(row)])), [rows])
  const role = active.find(({ id: userId }) => userId === me.userId)?.folded.state.role ?? null

  const may = useCallback(
    (type: string, about: Subject = { kind: 'workspace', id }) =>
      access === 'open' &&
      mayEmit(type, { phase: phaseOf(fold, about), role, isSelf: about.id === me.userId, isAuthor: false }),
    [fold, role, access, id, me.userId],
  )

  const view = useMemo((): WorkspaceView => {
    const { state } = subjectOf(fold, workspaceKind, id)
    const online = whoIsOnline(entries, people)
    return {
      id, me, role, access, people, documents, act, may, clock,
      heard: notices + fold.version,
      name: state.name,
      createdAt: state.createdAt,
      workspaces: initial.workspaces.map((each) => (each.id === id ? { id, name: state.name } : each)),
      members: active.flatMap(({ id: userId, folded }) => {
        const row = known.get(userId)
        return row ? [{ ...asPerson(row), email: row.email, role: folded.state.role, joinedAt: folded.state.joinedAt }] : []
      }),
      invitations: subjectsOf(fold, invitation)
        .filter(({ folded }) => folded.phase === 'open')
        .map(({ id: invitationId, folded }) => ({ id: invitationId, phase: folded.phase, ...folded.state })),
      online,
      inDocument: byDocument(online.filter(({ userId }) => userId !== me.userId)),
      keepsAnOwner: (userId, nextRole) => keepsAnOwner(active, userId, nextRole),
    }
  }, [fold, id, me, role, access, people, documents, act, may, entries, active, known, clock, notices, initial.workspaces])

  return <Context value={view}>{children}</Context>
}
