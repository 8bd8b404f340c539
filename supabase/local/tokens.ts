import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const headerSchema = z.object({ alg: z.literal('HS256') })
const claimsSchema = z.looseObject({
  role: z.enum(['anon', 'authenticated', 'service_role']),
  exp: z.number(),
  nbf: z.number().optional(),
  sub: z.uuid().optional(),
  session_id: z.uuid().optional(),
})
export type Claims = z.infer<typeof claimsSchema>

/** Answers the claims of a token that we signed, that is valid at `now` (seconds) and names a role of the API; null for everything else. */
export function verifyToken(token: string, secret: string, now: number): Claims | null {
  const [head, body, signature, ...rest] = token.split('.')
  if (!head || !body || !signature || rest.length > 0) return null
  if (!headerSchema.safeParse(json(head)).success) return null
  const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const claims = claimsSchema.safeParse(json(body))
  if (!claims.success || claims.data.exp <= now) return null
  // Half a minute of leeway: the clocks of two machines rarely agree to the second.
  if (claims.data.nbf !== undefined && claims.data.nbf > now + 30) return null
  return claims.data
}

function json(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
