import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isObject } from "./frames/frame";
import type { Json } from "./frames/frame";

export type Claims = Readonly<Record<string, unknown>> & { role: string; exp: number };

type TokenError =
  | { name: "expired"; seconds: number }
  | { name: "missing-claims" }
  | { name: "role" }
  | { name: "invalid-expiry" }
  | { name: "malformed" }
  | { name: "signature" }
  | { name: "signer" };

export type Verdict = { ok: true; claims: Claims } | { ok: false; error: TokenError };

export type Keys = { publishableKey: string; secretKey: string };

/** Verifies a token at a time in ms: a JWT of this project, or one of its two opaque keys. */
export type Verify = (token: string, now: number) => Verdict;

const digests = new Map([
  ["HS256", "sha256"],
  ["HS384", "sha384"],
  ["HS512", "sha512"],
]);

const rolesOfTheApi = new Set(["anon", "authenticated", "service_role"]);
/** The clock skew allowed between two machines, in seconds. */
const leeway = 30;

/** The year 9999: opaque keys do not expire, but their claims need an `exp`. */
const never = 253_402_300_799;

/** Returns the claims of the role that an opaque key grants, as Supabase's gateway does. */
export function claimsOfKey(role: "anon" | "service_role"): Claims {
  return { role, exp: never };
}

function refuse(error: TokenError): Verdict {
  return { ok: false, error };
}

function decodePart(part: string): Json | undefined {
  try {
    const value: Json = JSON.parse(Buffer.from(part, "base64url").toString());
    return value;
  } catch {
    return undefined;
  }
}

/** Cleans a token as Supabase does, which accepts URL-encoded tokens and line breaks. */
function clean(token: string): string {
  try {
    return decodeURIComponent(token).replace(/\s/g, "");
  } catch {
    return token.replace(/\s/g, "");
  }
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function verifyJwt(token: string, secret: string, now: number): Verdict {
  const [head, body, signature, ...more] = token.split(".");
  if (head === undefined || body === undefined || signature === undefined || more.length > 0) {
    return refuse({ name: "malformed" });
  }
  const header = decodePart(head);
  const claims = decodePart(body);
  if (!isObject(header) || !isObject(claims)) return refuse({ name: "malformed" });

  const digest = typeof header.alg === "string" ? digests.get(header.alg) : undefined;
  if (digest === undefined) return refuse({ name: "signer" });
  const expected = createHmac(digest, secret).update(`${head}.${body}`).digest();
  if (!sameBytes(expected, Buffer.from(signature, "base64url")))
    return refuse({ name: "signature" });

  const seconds = Math.floor(now / 1000);
  const { exp, iat, nbf, role } = claims;
  if (iat !== undefined && typeof iat !== "number") return refuse({ name: "malformed" });
  if (exp !== undefined && typeof exp !== "number") return refuse({ name: "invalid-expiry" });
  if (exp !== undefined && exp <= seconds)
    return refuse({ name: "expired", seconds: seconds - Math.round(exp) });
  if (nbf !== undefined && (typeof nbf !== "number" || nbf > seconds + leeway))
    return refuse({ name: "malformed" });
  if (exp === undefined || typeof role !== "string") return refuse({ name: "missing-claims" });
  // A token with another database role would bypass every policy.
  if (!rolesOfTheApi.has(role)) return refuse({ name: "role" });
  return { ok: true, claims: { ...claims, role, exp: Math.round(exp) } };
}

/** Creates the verifier of all tokens and opaque keys on this server. */
export function tokenVerifier(jwtSecret: string, keys: Keys): Verify {
  const fingerprint = (key: string) => createHash("sha256").update(key).digest();
  const roles = [
    { key: fingerprint(keys.publishableKey), claims: claimsOfKey("anon") },
    { key: fingerprint(keys.secretKey), claims: claimsOfKey("service_role") },
  ];
  return (raw, now) => {
    const token = clean(raw);
    const print = fingerprint(token);
    const known = roles.find(({ key }) => sameBytes(key, print));
    if (known !== undefined) return { ok: true, claims: known.claims };
    return verifyJwt(token, jwtSecret, now);
  };
}

/**
 * Whether a token is one of the opaque keys that replaced JWT keys. With such a key, a channel
 * keeps the connection's identity.
 */
export function isOpaqueKey(token: string): boolean {
  return token.startsWith("sb_");
}

/** Returns the token's session id; null without one, as in tokens of the service. */
export function sessionOf({ session_id }: Claims): string | null {
  return typeof session_id === "string" && session_id !== "" ? session_id : null;
}

/** Returns the client's message about a refused token. */
export function tokenSentence(error: TokenError): string {
  switch (error.name) {
    case "expired":
      return `Token has expired ${error.seconds} seconds ago`;
    case "missing-claims":
      return "Fields `role` and `exp` are required in JWT";
    case "role":
      return "The role of the token is none of the API: anon, authenticated, service_role";
    case "invalid-expiry":
      return "Token expiration time is invalid";
    case "malformed":
      return "The token provided is not a valid JWT";
    case "signature":
      return "Failed to validate JWT signature";
    case "signer":
      return "Failed to generate JWT signer, check your JWT secret or JWKS configuration";
  }
}

/** Returns the code that Supabase puts before the message when a join fails. */
export function tokenCode(error: TokenError): string {
  switch (error.name) {
    case "expired":
    case "missing-claims":
    case "role":
    case "invalid-expiry":
      return "InvalidJWTToken";
    case "malformed":
      return "MalformedJWT";
    case "signature":
      return "JwtSignatureError";
    case "signer":
      return "JwtSignerError";
  }
}
