import { isAuthRetryableFetchError } from "@supabase/supabase-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { authPatience, AuthUnreachable } from "./auth-reach";
import { hasSharedSecret, readClaims, verifyClaims } from "./claims";
import type { Claims } from "./claims";
import { environment } from "./environment";
import { sessionHolds } from "./session-check";
import { VerifiedTokens } from "./verified-tokens";

/**
 * The total time to identify the caller, in milliseconds: the auth server's timeout, then the time
 * of one query to a possibly busy database.
 */
const patience = authPatience + 3_000;

const verifiedTokens = new VerifiedTokens();

/**
 * Identifies the caller from verified claims, and refreshes the session if its token has expired.
 * Returns null without a session. The embedded backend needs no request for this. Throws
 * AuthUnreachable if the session could not be checked.
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
  // If the device's clock is fast, its session seems to outlive its token.
  const renewed = tokenOf(await client.auth.refreshSession());
  return renewed !== null && renewed !== token ? claimsOf(client, renewed) : null;
}

type Found = Awaited<ReturnType<SupabaseClient["auth"]["getSession" | "refreshSession"]>>;

/** Returns the session's access token, or null if there is no session or auth refused it. */
function tokenOf({ data, error }: Found): string | null {
  if (isAuthRetryableFetchError(error)) throw new AuthUnreachable();
  return data.session?.access_token ?? null;
}

async function claimsOf(client: SupabaseClient, token: string): Promise<Claims | null> {
  const { embedded, jwtSecret, url } = environment();
  const isShared = hasSharedSecret(token);
  // A hosted project may have switched to signing keys after its secret was configured.
  if (jwtSecret && (embedded || isShared)) {
    const claims = verifyClaims(token, jwtSecret, Date.now() / 1000);
    const holds = claims === null || (await sessionHolds(claims.sessionId).catch(unreachable));
    return holds ? claims : null;
  }
  const known = isShared ? verifiedTokens.find(url, token, Date.now()) : null;
  if (known) return known;
  // Without the secret, getClaims requests the user from auth each time.
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
 * Verifies a token while the auth server is unreachable: the database verifies the signature of
 * each token it is queried with, and reports whether the session is current.
 */
async function claimsByDatabase(client: SupabaseClient, token: string): Promise<Claims | null> {
  const { data, error, status } = await client.rpc("read_sessions");
  if (error && status !== 401 && status !== 403) throw new AuthUnreachable();
  const found = sessions.safeParse(data);
  return found.success && found.data.some(({ current }) => current) ? readClaims(token) : null;
}
