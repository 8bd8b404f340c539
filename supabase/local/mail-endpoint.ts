import { z } from 'zod'
import { same } from './api-key'
import type { Keys } from './keys'
import type { Mailbox } from './mailbox'
import { isLoopback } from './origin'
import { refusal } from './refusals'

const outgoingSchema = z.object({ to: z.email(), subject: z.string().max(500), html: z.string(), text: z.string().optional() })

/**
 * `GET /mail/messages.json?to=<address>` lists caught mail, newest first, to callers on this machine only: it holds sign-in links.
 * `POST` with the secret key as bearer catches a mail that a function sends: `{ to, subject, html, text? }`.
 */
export async function answerMail(mailbox: Mailbox, keys: Keys, peer: string, request: Request): Promise<Response> {
  if (request.method === 'GET') {
    if (!isLoopback(peer)) {
      return refusal(403, 'not_permitted', 'Caught mail can only be read on the machine that runs the workspace.')
    }
    return Response.json(mailbox.messages(new URL(request.url).searchParams.get('to') ?? undefined))
  }
  if (request.method !== 'POST') return refusal(405, 'method_not_allowed', 'Method not allowed')
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!same(bearer, keys.secretKey)) return refusal(401, 'invalid_api_key', 'Invalid API key')
  const mail = outgoingSchema.safeParse(await request.json().catch(() => null))
  if (!mail.success) return refusal(400, 'invalid_mail', 'A mail has an address, a subject and HTML.')
  await mailbox.send(mail.data)
  return new Response(null, { status: 204 })
}
