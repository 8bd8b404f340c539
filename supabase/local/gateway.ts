import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkCredentials, isKey, same } from './api-key'
import { BodyTooLarge, readBody, sendResponse, webRequest } from './http'
import type { Keys } from './keys'
import type { Mailbox } from './mailbox'
import { answerMail } from './mail-endpoint'
import { refusal } from './refusals'

type Fetch = (request: Request) => Promise<Response>

export type Backend = {
  keys: Keys
  mailbox: Mailbox
  rest: Fetch
  storage: Fetch
  auth: (request: Request, peer: string, body: string) => Promise<Response>
  functions: Fetch
  /** Realtime's HTTP side; null when it does not know the address. */
  realtime: (request: Request) => Promise<Response | null>
}

const megabyte = 1024 * 1024
export const bodyLimit = megabyte
const largeLimit = 25 * megabyte

/** Tells whether an address belongs to the backend rather than to the pages. */
export function isBackendPath(path: string): boolean {
  return /^\/(auth|rest|storage|functions|realtime)\/v1(\/|$)/.test(path) || path === '/mail/messages.json'
}

/** Answers one call to the backend: size, key, token and rate are checked before any part of Supabase sees it. */
export async function answerBackend(
  backend: Backend,
  peer: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`)
  // The service keeps states of whole documents, which nobody else may send.
  const isLarge = url.pathname.startsWith('/storage/v1/object/') || isService(backend.keys, incoming)
  let response: Response
  try {
    const body = await readBody(incoming, isLarge ? largeLimit : bodyLimit)
    response = await route(backend, peer, webRequest(incoming, url, body), body)
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error
    const most = isLarge ? '25 MB' : '1 MB'
    response = refusal(413, 'too-large', `A request may hold at most ${most}.`, { connection: 'close' })
    outgoing.once('finish', () => incoming.destroy())
  }
  await sendResponse(guarded(response), outgoing)
}

/** Decides whether a WebSocket may be opened: it carries a key of ours in its address or headers. */
export function mayOpenSocket(keys: Keys, incoming: IncomingMessage): boolean {
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  const header = incoming.headers.apikey
  const key = url.searchParams.get('apikey') ?? (typeof header === 'string' ? header : null)
  return key !== null && isKey(key, keys)
}

function isService(keys: Keys, { headers }: IncomingMessage): boolean {
  return typeof headers.apikey === 'string' && same(headers.apikey, keys.secretKey)
}

async function route(backend: Backend, peer: string, request: Request, body: Buffer): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  // Dots may have led out of where the address seemed to go; and what the limits do not recognise, Lite would decode and serve.
  const isPlain = isBackendPath(pathname) && (!pathname.startsWith('/auth/') || /^[\w./-]+$/.test(pathname))
  if (!isPlain) return refusal(404, 'not_found', 'Not found')
  if (pathname === '/mail/messages.json') return answerMail(backend.mailbox, backend.keys, peer, request)
  // One origin needs no preflight; whoever asks for one is elsewhere.
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
  const refused = checkCredentials(request, backend.keys, Date.now() / 1000)
  if (refused) return refused
  // Lite takes a key only from its own header, and an `Authorization` that repeats it for a broken token.
  const bearer = request.headers.get('authorization')?.replace(/^Bearer +/i, '')
  const key = request.headers.get('apikey') ?? searchParams.get('apikey')
  if (bearer !== undefined && key !== null && same(bearer, key)) request.headers.delete('authorization')
  if (pathname.startsWith('/functions/')) return backend.functions(request)
  if (pathname.startsWith('/realtime/')) {
    return (await backend.realtime(request)) ?? refusal(404, 'not_found', 'Not found')
  }
  if (pathname.startsWith('/storage/')) return backend.storage(request)
  if (pathname.startsWith('/auth/')) return backend.auth(request, peer, body.toString('utf8'))
  return backend.rest(request)
}

/** Keeps what the backend answers from ever running as a page of ours, and from being read by pages elsewhere. */
function guarded(response: Response): Response {
  const headers = new Headers(response.headers)
  for (const name of [...headers.keys()]) {
    if (name.startsWith('access-control-')) headers.delete(name)
  }
  headers.set('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
