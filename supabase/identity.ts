import type { SupabaseClient } from '@supabase/supabase-js'
import { verifyClaims, type Claims } from './claims'
import { environment } from './environment'

/**
 * Tells who makes this request, by claims whose signature was verified, refreshing the session if its token has expired;
 * null where nobody is signed in. With the embedded backend no request goes out for it.
 */
export async function identity(client: SupabaseClient): Promise<Claims | null> {
  const { data } = await client.auth.getSession()
  const token = data.session?.access_token
  if (!token) return null
  const { jwtSecret } = environment()
  if (jwtSecret) return verifyClaims(token, jwtSecret, Date.now() / 1000)
  const verified = await client.auth.getClaims(token)
  if (verified.error || !verified.data) return null
  const { sub, session_id, email, iat, exp } = verified.data.claims
  return { userId: sub, sessionId: session_id, email: email ?? '', issuedAt: iat, expiresAt: exp }
}
