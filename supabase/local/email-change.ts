import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { z } from 'zod'
import type { ProjectConfig } from './config'
import type { Mailbox } from './mailbox'
import { verifyToken } from './tokens'

type Fetch = (request: Request) => Promise<Response>

const askedSchema = z.looseObject({ email: z.string().min(1) })
const shownSchema = z.union([
  z.looseObject({ token_hash: z.string().min(1) }),
  z.looseObject({ email: z.string().min(1), token: z.string().min(1) }),
])

export type EmailChanges = {
  /** After an accepted `PUT /user`: mails the new address a link of its own, where the call asked for another address. */
  asked(request: Request, body: unknown): Promise<void>
  /** Answers `POST /verify` of the type `email_change`: the first of the two links is noted, the second lets Lite change the address. */
  confirm(request: Request, body: unknown): Promise<Response>
}

type Template = { subject: string; html: string; /** How long a link is good, in seconds. */ expiry: number }
type Options = { sql: Sql; lite: Fetch; mailbox: Mailbox; jwtSecret: string; siteUrl: string; template: Template }

/**
 * Changes of address as a hosted project handles them. Lite mails the old address alone and changes to the new one when that
 * link is opened: nobody would ever show that the new address is theirs. It has a token for it, so both are asked.
 */
export function emailChanges({ sql, lite, mailbox, jwtSecret, siteUrl, template }: Options): EmailChanges {
  return {
    async asked(request, body) {
      if (!askedSchema.safeParse(body).success) return
      const claims = verifyToken(request.headers.get('authorization')?.replace(/^Bearer +/i, '') ?? '', jwtSecret, 0)
      if (!claims?.sub) return
      const [change] = await sql<{ email: string; email_change: string; token: string }[]>`
        update auth.users set email_change_confirm_status = 0
        where id = ${claims.sub} and email_change <> '' and email_change_token_new <> ''
        returning email, email_change, email_change_token_new as token`
      if (!change) return
      const values = { SiteURL: siteUrl, TokenHash: change.token, Email: change.email, NewEmail: change.email_change }
      await mailbox.send({ to: change.email_change, subject: template.subject, html: filled(template.html, values) })
    },

    async confirm(request, body) {
      const shown = shownSchema.safeParse(body)
      if (!shown.success) return lite(request)
      const hash = hashOf(shown.data)
      // Two links opened at one moment are told apart by the row's lock: one is the first.
      const noted = await sql`
        update auth.users
        set email_change_confirm_status = 1,
          email_change_token_new = case when email_change_token_new = ${hash} then '' else email_change_token_new end
        where ${hash} in (email_change_token_current, email_change_token_new) and email_change_confirm_status = 0 and email <> ''
          and email_change_sent_at > now() - make_interval(secs => ${template.expiry})
        returning id`
      if (noted.count > 0) return accepted()
      const [second] = await sql<{ current: string }[]>`
        select email_change_token_current as current from auth.users
        where (email_change_token_new = ${hash} or (email_change_token_current = ${hash} and email_change_token_new = ''))
          and email_change_confirm_status = 1`
      if (second) return lite(verification(request, second.current))
      const [again] = await sql`select from auth.users where email_change_token_current = ${hash} and email_change_confirm_status = 1`
      return again ? accepted() : lite(verification(request, 'unknown'))
    },
  }
}

/** Reads what the mail about a change of address says. */
export async function emailChangeTemplate(root: string, config: ProjectConfig): Promise<Template> {
  const { subject = 'Confirm your change of address', content_path: path } = config.auth.email.template.email_change
  if (path === undefined) throw new Error('supabase/config.toml names no content_path for auth.email.template.email_change')
  return { subject, html: await readFile(join(root, path), 'utf8'), expiry: config.auth.email.otp_expiry }
}

/** As hosted Supabase says it; there is no session in it, so a client knows that something is still to be done. */
function accepted(): Response {
  return Response.json({ code: 200, msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email' })
}

function verification(request: Request, tokenHash: string): Request {
  return new Request(request, { body: JSON.stringify({ type: 'email_change', token_hash: tokenHash }) })
}

function hashOf(shown: z.infer<typeof shownSchema>): string {
  if ('token_hash' in shown && typeof shown.token_hash === 'string') return shown.token_hash
  return createHash('sha256').update(`${String(shown.email).toLowerCase()}${String(shown.token)}`).digest('hex')
}

function filled(template: string, values: Record<string, string>): string {
  return template.replace(/\{\{ \.(\w+) \}\}/g, (whole, name: string) => escaped(values[name] ?? whole))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
