import { isAuthRetryableFetchError, type SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { authPatience, AuthUnreachable } from "./auth-reach";
import { hasSharedSecret, readClaims, verifyClaims, type Claims } from "./claims";
import { environment } from "./environment";
import { sessionHolds } from "./session-check";
import { VerifiedTokens } from "./verified-tokens";

/**
 * How long it may take in all to tell who asks, in milliseconds: the auth server's patience, then
 * one question to the database, which takes its time where it is asked by everybody.
 */
const patience = authPatience + 3_000;

const verifiedTokens = new VerifiedTokens();

/**
 * Tells who makes this request, by claims whose signature was verified, refreshing the session if
 * its token is not good any more; null where nobody is signed in. With the embedded backend no
 * request goes out for it. Throws AuthUnreachable where there is a session that could not be
 * checked.
 */
export async function identity(client: SupabaseClient): Promise<Claims | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new AuthUnreachable()), patience);
  });
  try {
    return await Promise.race([whoAsks(client), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function whoAsks(client: SupabaseClient): Promise<Claims | null> {
  const found = await client.auth.getSession();
  const token = tokenOf(found);
  if (token === null) return null;
  const claims = await claimsOf(client, token);
  if (claims) return claims;
  // By a device's clock that is ahead of this one a session lasts longer than its token.
  const renewed = tokenOf(await client.auth.refreshSession());
  return renewed !== null && renewed !== token ? claimsOf(client, renewed) : null;
}

type Found = Awaited<ReturnType<SupabaseClient["auth"]["getSession" | "refreshSession"]>>;

/** The token that the session has; null where it was refused, or there is none. */
function tokenOf({ data, error }: Found): string | null {
  if (isAuthRetryableFetchError(error)) throw new AuthUnreachable();
  return data.session?.access_token ?? null;
}

async function claimsOf(client: SupabaseClient, token: string): Promise<Claims | null> {
  const { embedded, jwtSecret, url } = environment();
  const isShared = hasSharedSecret(token);
  // A hosted project may have moved to signing keys since its secret was noted.
  if (jwtSecret && (embedded || isShared)) {
    const claims = verifyClaims(token, jwtSecret, Date.now() / 1000);
    const holds = claims === null || (await sessionHolds(claims.sessionId).catch(unreachable));
    return holds ? claims : null;
  }
  const known = isShared ? verifiedTokens.find(url, token, Date.now()) : null;
  if (known) return known;
  // Without its secret, getClaims asks auth for the user each time.
  const verified = await client.auth.getClaims(token);
  if (isAuthRetryableFetchError(verified.error)) return claimsByDatabase(client, token);
  if (verified.error || !verified.data) return null;
  const { sub, session_id, email, iat, exp } = verified.data.claims;
  const claims = {
    userId: sub,
    sessionId: session_id,
    email: email ?? "",
    issuedAt: iat,
    expiresAt: exp,
  };
  if (isShared) verifiedTokens.add(url, token, claims, Date.now());
  return claims;
}

function unreachable(): never {
  throw new AuthUnreachable();
}

const sessions = z.array(z.object({ current: z.boolean() }));

/**
 * The claims of a token where the auth server cannot be asked for its keys: the database verifies the signature of each
 * token that it is asked under, and tells whether the session goes on.
 */
async function claimsByDatabase(client: SupabaseClient, token: string): Promise<Claims | null> {
  const { data, error, status } = await client.rpc("read_sessions");
  if (error && status !== 401 && status !== 403) throw new AuthUnreachable();
  const found = sessions.safeParse(data);
  return found.success && found.data.some(({ current }) => current) ? readClaims(token) : null;
}
