/** What this tab reads out of its own access token. Never a proof: the server verifies, the tab only looks. */
type TokenClaims = { sessionId: string; issuedAt: number; expiresAt: number };

/** Reads session id and times (seconds) of a JWT without checking its signature; throws when it is none. */
export function tokenClaims(token: string): TokenClaims {
  const body = token.split(".")[1];
  if (!body) throw new Error("The access token is not a JWT");
  const claims: unknown = JSON.parse(decodeText(body));
  if (typeof claims !== "object" || claims === null)
    throw new Error("The access token has no claims");
  const { session_id, iat, exp } = { session_id: "", iat: 0, exp: 0, ...claims };
  return { sessionId: String(session_id), issuedAt: Number(iat), expiresAt: Number(exp) };
}

function decodeText(base64url: string): string {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
}
