import type { Session } from '../../events/auth'
import type { Json } from '../../events/envelope'
import type { Refusal } from '../../events/refusal'
import type { Store } from '../../events/store'
import { uuidV5 } from '../../events/uuid'

const longest = 80
const possessive = '’s workspace'

/** The name that an account starts with: what the person gave at sign-up, else the part of their address before the @. */
export function firstName(session: Pick<Session, 'name' | 'email'>): string {
  return (session.name.trim() || session.email.split('@')[0] || 'Someone').slice(0, longest)
}

/** The id of the workspace that a person's sign-up creates: always the same one for the same person. */
export function firstWorkspaceId(userId: string): string {
  return uuidV5(userId, 'first workspace')
}

/**
 * Creates the account's stream, the person's first workspace and their profile, unless the profile is there already. Every
 * id is derived from the user's, so that two tabs, or another try after a fault, create nothing twice.
 */
export async function openAccount(store: Pick<Store, 'append' | 'read'>, session: Session): Promise<Refusal[]> {
  const { userId } = session
  // The profile comes last: until it is in the log, all three are tried again.
  const begun = await store.read(userId, 0, 2)
  if (begun.some((event) => event.type === 'account.profile_changed')) return []
  const name = firstName(session)
  const workspaceId = firstWorkspaceId(userId)
  const workspaceName = `${name.slice(0, longest - possessive.length)}${possessive}`
  const step = (type: string, stream: string, body: { [key: string]: Json }) => ({ id: uuidV5(stream, type), type, body })
  const answers = [
    await store.append(userId, null, [step('account.created', userId, {})]),
    await store.append(workspaceId, 0, [step('workspace.created', workspaceId, { name: workspaceName })]),
    await store.append(userId, null, [step('account.profile_changed', userId, { name, color: null })]),
  ]
  return answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal]))
}
