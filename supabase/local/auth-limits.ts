import { z } from 'zod'
import type { ProjectConfig } from './config'
import { networkOf } from './network'
import { RateLimiter } from './rate-limit'

const fiveMinutes = 300
const bodySchema = z.looseObject({ email: z.string().optional(), phone: z.string().optional() })

type Door = 'signIn' | 'signUp' | 'refresh' | 'verify' | 'mail'

export type AuthLimits = {
  /** Answers 0, or the seconds to wait, for a call to `/auth/v1`. */
  take(call: AuthCall): number
  /** A right password is no try at guessing: it is given back. */
  succeeded(call: AuthCall): void
}
export type AuthCall = { method: string; path: string; grant: string | null; peer: string; body: string }

/** Limits sign-in, sign-up, recovery and one-time codes per network address and per account; `now` is in milliseconds. */
export function authLimits(limits: ProjectConfig['auth']['rate_limit'], perPeer: number | null, now: () => number): AuthLimits {
  const each = (most: number, seconds = fiveMinutes) => new RateLimiter({ most, seconds }, now)
  const byPeer: Record<Door, RateLimiter> = {
    signIn: each(perPeer ?? limits.sign_in_sign_ups),
    signUp: each(perPeer ?? limits.sign_in_sign_ups),
    refresh: each(perPeer ?? limits.token_refresh),
    verify: each(perPeer ?? limits.token_verifications),
    mail: each(perPeer ?? limits.email_sent, 3600),
  }
  // An account's own limit is what stops guessing from many addresses, so no setting widens it.
  const byAccount: Record<Door, RateLimiter> = {
    signIn: each(10),
    signUp: each(10),
    refresh: each(10),
    verify: each(10),
    mail: each(10, 3600),
  }
  return {
    take(call) {
      const door = doorOf(call)
      if (door === null) return 0
      const account = accountOf(call.body)
      const wait = byPeer[door].take(networkOf(call.peer))
      return Math.max(wait, account === null ? 0 : byAccount[door].take(account))
    },
    succeeded(call) {
      if (call.grant !== 'password' || !call.path.endsWith('/token')) return
      byPeer.signIn.giveBack(networkOf(call.peer))
      const account = accountOf(call.body)
      if (account !== null) byAccount.signIn.giveBack(account)
    },
  }
}

function doorOf({ method, path, grant, body }: AuthCall): Door | null {
  const name = path.replace(/^\/auth\/v1\//, '').replace(/\/+$/, '')
  if (name === 'token') return grant === 'refresh_token' ? 'refresh' : 'signIn'
  if (name === 'signup') return 'signUp'
  if (name === 'verify') return 'verify'
  if (method !== 'GET' && ['otp', 'magiclink', 'recover', 'resend', 'invite'].includes(name)) return 'mail'
  if (name === 'reauthenticate') return 'mail'
  // Another address is asked for by mail, to itself as well.
  if (name === 'user' && method === 'PUT' && accountOf(body) !== null) return 'mail'
  return null
}

function accountOf(body: string): string | null {
  try {
    const { email, phone } = bodySchema.parse(JSON.parse(body))
    return (email ?? phone)?.trim().toLowerCase() ?? null
  } catch {
    // Not JSON: the backend refuses it, and the network address has been counted.
    return null
  }
}
