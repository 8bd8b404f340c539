import type { SupabaseClient } from "@supabase/supabase-js";
import { verifyClaims, type Claims } from "./claims";
import { environment } from "./environment";

/**
 * Tells who makes this request, by claims whose signature was verified, refreshing the session if its token is not good any more;
 * null where nobody is signed in. With the embedded backend no request goes out for it.
 */
export async function identity(client: SupabaseClient): Promise<Claims | null> {
  const { data } = await client.auth.getSession();
  const token = data.session?.access_token;
  if (!token) return null;
  const claims = await claimsOf(client, token);
  if (claims) return claims;
  // By a device's clock that is ahead of this one a session lasts longer than its token.
  const renewed = (await client.auth.refreshSession()).data.session?.access_token;
  return renewed && renewed !== token ? claimsOf(client, renewed) : null;
}

async function claimsOf(client: SupabaseClient, token: string): Promise<Claims | null> {
  const { jwtSecret } = environment();
  if (jwtSecret) return verifyClaims(token, jwtSecret, Date.now() / 1000);
  const verified = await client.auth.getClaims(token);
  if (verified.error || !verified.data) return null;
  const { sub, session_id, email, iat, exp } = verified.data.claims;
  return { userId: sub, sessionId: session_id, email: email ?? "", issuedAt: iat, expiresAt: exp };
}
