/**
 * Claims that this tab reads from its own access token. They are unverified: only the server checks
 * the signature.
 */
type TokenClaims = { sessionId: string; issuedAt: number; expiresAt: number };

/**
 * Reads a JWT's session id and times (in seconds) without checking its signature. Throws if the
 * text is not a JWT.
 */
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
