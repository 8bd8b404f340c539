import {
  documentsOf, membersOf, myWorkspaces, openInvitations, recentChanges, workspaceById,
  type DocumentRow, type InvitationRow, type LastChange, type MemberRow, type Rows, type WorkspaceRow,
} from '../../events/projections'
import { subjectKey, type StreamFold } from '../../events/stream-fold'
import type { Invitation } from '../../machines/invitation'
import type { Member } from '../../machines/member'
import type { Workspace } from '../../machines/workspace'
import type { Person } from '../presence/person'
import type { Clock } from '../use-clock'

/** A workspace as the server rendered it. `workspace` was read before the rest, so that its version promises no more than they hold. */
export type WorkspaceSnapshot = {
  me: Person
  workspace: WorkspaceRow
  workspaces: readonly { id: string; name: string }[]
  members: readonly MemberRow[]
  invitations: readonly InvitationRow[]
  documents: readonly DocumentRow[]
  /** What happened last in each document, and how busy it was, by document id. */
  changes: Readonly<Record<string, LastChange>>
  clock: Clock
}

/** Reads a workspace for one of its members; null when there is none, or none for this reader. */
export async function readWorkspace(rows: Rows, id: string, userId: string, clock: Clock): Promise<WorkspaceSnapshot | null> {
  const workspace = await workspaceById(rows, id)
  if (!workspace) return null
  const [workspaces, members, invitations, documents, changes] = await Promise.all([
    myWorkspaces(rows, userId),
    membersOf(rows, id),
    openInvitations(rows, id),
    documentsOf(rows, id),
    recentChanges(rows, id),
  ])
  const own = members.find((member) => member.userId === userId)
  const me = { userId, name: own?.name ?? '', color: own?.color ?? 0 }
  return { me, workspace, workspaces, members, invitations, documents, changes, clock }
}

/** The fold that the projections of a workspace stand for; what is folded on top of it again changes nothing. */
export function foldOfWorkspace({ workspace, members, invitations }: WorkspaceSnapshot): StreamFold {
  const { id, name, phase, createdBy, createdAt, version } = workspace
  const own = { phase, state: { name, createdBy, createdAt } satisfies Workspace }
  const people = members.map(({ userId, role, joinedAt, phase: member }) => [
    subjectKey({ kind: 'member', id: userId }),
    { phase: member, state: { role, joinedAt } satisfies Member },
  ])
  const invited = invitations.map((row) => [
    subjectKey({ kind: 'invitation', id: row.id }),
    {
      phase: row.phase,
      state: {
        kind: row.kind,
        email: row.email,
        role: row.role,
        createdBy: row.createdBy,
        expiresAt: row.expiresAt === null ? null : Date.parse(row.expiresAt),
      } satisfies Invitation,
    },
  ])
  return { version, subjects: Object.fromEntries([[subjectKey({ kind: 'workspace', id }), own], ...people, ...invited]) }
}
