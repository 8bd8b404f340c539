import { createHash, timingSafeEqual } from 'node:crypto'
import type { Keys } from './keys'
import { refusal } from './refusals'
import { verifyToken } from './tokens'

/** Calls that carry their own proof in the address: links in mails, and storage's public and signed addresses. */
const keyless: { method: string; path: RegExp }[] = [
  { method: 'GET', path: /^\/auth\/v1\/(verify|callback|authorize|health)$/ },
  { method: 'GET', path: /^\/storage\/v1\/object\/(public|sign)\// },
  { method: 'PUT', path: /^\/storage\/v1\/object\/upload\/sign\// },
]

/** Refuses a call to the backend without a key of ours, or with a token that we did not sign for a role of the API; null when it may pass. `now` is in seconds. */
export function checkCredentials(request: Request, keys: Keys, now: number): Response | null {
  const url = new URL(request.url)
  const key = request.headers.get('apikey') ?? url.searchParams.get('apikey')
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
  if (key === null) {
    if (keyless.some(({ method, path }) => method === request.method && path.test(url.pathname))) return null
    return refusal(401, 'no_api_key', 'No API key found in request')
  }
  if (!isKey(key, keys)) return refusal(401, 'invalid_api_key', 'Invalid API key')
  if (request.headers.has('authorization') && bearer === null) return refusal(401, 'bad_jwt', 'Invalid token')
  // Without a session supabase-js repeats the key as the bearer.
  if (bearer === null || bearer === key) return null
  if (verifyToken(bearer, keys.jwtSecret, now) === null) return refusal(401, 'bad_jwt', 'Invalid or expired token')
  return null
}

/** Tells whether a text is one of the two keys, in time that does not depend on where it differs. */
export function isKey(text: string, keys: Keys): boolean {
  const publishable = same(text, keys.publishableKey)
  const secret = same(text, keys.secretKey)
  return publishable || secret
}

/** Compares two secrets in constant time. */
export function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
