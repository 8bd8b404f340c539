import type { Sql } from 'postgres'
import { z } from 'zod'
import { type AuthCall, type AuthLimits } from './auth-limits'
import type { EmailChanges } from './email-change'
import { withMailContext } from './mail-context'
import { refusal, tooManyTries } from './refusals'
import { verifyToken } from './tokens'

type Fetch = (request: Request) => Promise<Response>

export type AuthOptions = {
  lite: Fetch
  sql: Sql
  changes: EmailChanges
  limits: AuthLimits
  jwtSecret: string
  /** Where links in mails lead when the request may not say so: the configured site, or null for the address the app was asked under. */
  siteUrl: string | null
  /** Where they lead when the request came under a host that may be anybody's. */
  ownUrl: string
  mayLinkTo: (host: string) => boolean
}

const sessionSchema = z.looseObject({ access_token: z.string() })
const verifySchema = z.looseObject({ type: z.string() })
const passwordSchema = z.looseObject({ password: z.string() })

/** Answers `/auth/v1`: Lite, with rate limits in front and what it leaves out of Supabase's behaviour added. */
export function answerAuth({ lite, sql, changes, limits, jwtSecret, siteUrl, ownUrl, mayLinkTo }: AuthOptions) {
  return async (request: Request, peer: string, body: string): Promise<Response> => {
    const url = new URL(request.url)
    const call: AuthCall = {
      method: request.method,
      path: url.pathname,
      grant: url.searchParams.get('grant_type'),
      peer,
      body,
    }
    const wait = limits.take(call)
    if (wait > 0) return tooManyTries(wait)
    const origin = siteUrl ?? (mayLinkTo(url.host) ? url.origin : ownUrl)
    const redirect = sameOrigin(url.searchParams.get('redirect_to'), origin)
    const response = await withMailContext({ origin, redirect }, async () => {
      const answer = await ask(lite, changes, request, body)
      if (answer.ok && request.method === 'PUT' && url.pathname === '/auth/v1/user') await changes.asked(request, parse(body))
      return answer
    })
    if (!response.ok) return hidden(request, response)
    limits.succeeded(call)
    await noteSession(sql, response, jwtSecret, { peer, agent: request.headers.get('user-agent') })
    await endOtherSessions(sql, request, body, jwtSecret)
    return response
  }
}

/** Lite knows the older names of what a code confirms; `email` is either of two. */
async function ask(lite: Fetch, changes: EmailChanges, request: Request, body: string): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (!/^\/auth\/v1\/verify\/*$/.test(pathname)) return lite(request)
  // A link that is spent by being fetched would be spent by the scanner of a mailbox.
  if (request.method !== 'POST') return searchParams.get('type') === 'email_change' ? refusal(405, 'method_not_allowed', 'Verify by POST') : lite(request)
  const parsed = verifySchema.safeParse(parse(body))
  if (!parsed.success) return lite(request)
  if (parsed.data.type === 'email_change') return changes.confirm(request, parsed.data)
  if (parsed.data.type !== 'email') return lite(request)
  const as = (type: string) => lite(new Request(request, { body: JSON.stringify({ ...parsed.data, type }) }))
  const link = await as('magiclink')
  return link.ok ? link : as('signup')
}

/** Whether an address has an account is nobody's business: asking for a sign-in link is answered the same for all. */
async function hidden(request: Request, response: Response): Promise<Response> {
  if (response.status !== 422 || !request.url.includes('/auth/v1/otp')) return response
  const text = await response.text()
  if (text.includes('otp_disabled')) return Response.json({})
  return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
}

/** Writes down from where a session is used, for the person's list of sessions. */
async function noteSession(
  sql: Sql,
  response: Response,
  secret: string,
  from: { peer: string; agent: string | null },
): Promise<void> {
  if (!response.headers.get('content-type')?.includes('json')) return
  const session = sessionSchema.safeParse(parse(await response.clone().text()))
  const id = session.success ? verifyToken(session.data.access_token, secret, 0)?.session_id : undefined
  if (!id) return
  const ip = /^[0-9a-f.:]+$/i.test(from.peer) ? from.peer : null
  await sql`
    update auth.sessions set user_agent = ${from.agent?.slice(0, 400) ?? null}, ip = ${ip}, refreshed_at = now() at time zone 'UTC' where id = ${id}
  `
}

/** A changed password ends every other session, as on Supabase: whoever knew the old one is out. */
async function endOtherSessions(sql: Sql, request: Request, body: string, secret: string): Promise<void> {
  if (request.method !== 'PUT' || new URL(request.url).pathname !== '/auth/v1/user') return
  if (!passwordSchema.safeParse(parse(body)).success) return
  const token = request.headers.get('authorization')?.replace(/^Bearer +/i, '') ?? ''
  const claims = verifyToken(token, secret, 0)
  if (!claims?.sub || !claims.session_id) return
  await sql`delete from auth.sessions where user_id = ${claims.sub} and id <> ${claims.session_id}`
}

function sameOrigin(target: string | null, origin: string): string | null {
  if (target === null || !URL.canParse(target)) return null
  return new URL(target).origin === origin ? target : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
