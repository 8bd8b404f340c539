import type { Happening } from '../../events/activity'
import { roles } from '../../machines/member'
import { roleWords } from '../member/role-words'

const text = (value: unknown) => (typeof value === 'string' ? value : '')

function roleOf(body: Happening['body']): string {
  const role = roles.find((known) => known === body.role)
  return role ? roleWords[role].label : 'something else'
}

/** What was done, as it follows the name of who did it; `who` names the member it was done to, `document` stands for a link. */
export function activityWords(
  { type, body, count, subjectId, actorId }: Happening,
  who: (userId: string) => string,
): { before: string; document: boolean; after: string } {
  const said = (before: string) => ({ before, document: false, after: '' })
  const about = (before: string, after = '') => ({ before, document: true, after })
  switch (type) {
    case 'workspace.created':
      return said('created this workspace')
    case 'workspace.renamed':
      return said(`renamed this workspace to “${text(body.name)}”`)
    case 'member.joined':
      return said(`joined and ${roleOf(body)}`)
    case 'member.role_changed':
      return said(`changed what ${who(subjectId)} may do: ${roleOf(body)}`)
    case 'member.removed':
      return said(`removed ${who(subjectId)}`)
    case 'member.left':
      return said('left')
    case 'invitation.created':
      return said(body.kind === 'link' ? `made a link for people who ${roleOf(body)}` : `invited ${text(body.email)}, who ${roleOf(body)}`)
    case 'invitation.accepted':
      return said('accepted an invitation')
    case 'invitation.declined':
      return said('declined an invitation')
    case 'invitation.revoked':
      return said('revoked an invitation')
    case 'document.created':
      return about('began')
    case 'document.renamed':
      return about('renamed', ` to “${text(body.title) || 'Untitled'}”`)
    case 'document.edited':
      return about('wrote in', count > 1 ? `, ${count} saves` : '')
    case 'document.trashed':
      return about('moved', ' to trash')
    case 'document.restored':
      return about('took', ' out of the trash')
    case 'document.reverted':
      return about('restored an earlier moment of')
    default:
      // An event of a newer version of the product is shown as something that happened, not hidden.
      return actorId === subjectId ? said('did something that this version cannot name') : said('changed something')
  }
}
