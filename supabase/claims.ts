import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The verified claims of an access token that the product uses. Times are in seconds since the
 * epoch.
 */
export type Claims = {
  userId: string;
  sessionId: string;
  email: string;
  issuedAt: number;
  expiresAt: number;
};

type Fields = Record<string, unknown>;

const allowedSkew = 5;

/**
 * Verifies an access token of the embedded backend: signed with HS256 and its own secret, not
 * expired, already valid, and issued for authenticated users. Returns null otherwise; `now` is in
 * seconds.
 */
export function verifyClaims(token: string, secret: string, now: number): Claims | null {
  const [header, body, signature, ...rest] = token.split(".");
  if (!header || !body || !signature || rest.length > 0) return null;
  const { alg, crit } = parse(header) ?? {};
  // The algorithm is fixed, not the token's: "none" or a public-key one would let anyone sign.
  if (alg !== "HS256" || crit !== undefined) return null;
  const expected = createHmac("sha256", secret).update(`${header}.${body}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;

  const claims = readClaims(token);
  if (!claims || claims.expiresAt <= now - allowedSkew) return null;
  const { aud, nbf } = parse(body) ?? {};
  if (nbf !== undefined && (typeof nbf !== "number" || nbf > now + allowedSkew)) return null;
  return [aud].flat().includes("authenticated") ? claims : null;
}

/** Whether a token claims to be signed with the project's shared secret, not an asymmetric key. */
export function hasSharedSecret(token: string): boolean {
  return parse(token.split(".")[0] ?? "")?.alg === "HS256";
}

/** Reads the claims of a verified token. Returns null if required claims are missing. */
export function readClaims(token: string): Claims | null {
  const { sub, session_id, email, exp, iat } = parse(token.split(".")[1] ?? "") ?? {};
  if (typeof sub !== "string" || typeof exp !== "number" || typeof iat !== "number") return null;
  return {
    userId: sub,
    sessionId: typeof session_id === "string" ? session_id : "",
    email: typeof email === "string" ? email : "",
    issuedAt: iat,
    expiresAt: exp,
  };
}

function parse(part: string): Fields | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
