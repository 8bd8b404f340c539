import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

const headerSchema = z.object({ alg: z.literal("HS256") });
const claimsSchema = z.looseObject({
  role: z.enum(["anon", "authenticated", "service_role"]),
  exp: z.number(),
  nbf: z.number().optional(),
  sub: z.uuid().optional(),
  session_id: z.uuid().optional(),
});
export type Claims = z.infer<typeof claimsSchema>;

const addressSchema = z.object({ intent: z.enum(["upload", "download"]), exp: z.number() });

/**
 * Verifies a token of this backend at `now` (seconds) and its API role. Returns null if the token
 * is invalid.
 */
export function verifyToken(token: string, secret: string, now: number): Readonly<Claims> | null {
  const claims = claimsSchema.safeParse(signed(token, secret)).data;
  if (claims === undefined || claims.exp <= now) return null;
  // Half a minute of leeway for clock skew.
  if (claims.nbf !== undefined && claims.nbf > now + 30) return null;
  return claims;
}

/**
 * Checks the token of a signed URL for this `intent` at `now` (seconds). Storage checks that the
 * token names the requested object.
 */
export function signedAddress(
  token: string,
  intent: "upload" | "download",
  secret: string,
  now: number,
): "valid" | "expired" | "invalid" {
  const claims = addressSchema.safeParse(signed(token, secret));
  if (!claims.success || claims.data.intent !== intent) return "invalid";
  return claims.data.exp > now ? "valid" : "expired";
}

/** Returns the payload of a token, or null unless the signature is valid. */
function signed(token: string, secret: string): unknown {
  const [head, body, signature, ...rest] = token.split(".");
  if (!head || !body || !signature || rest.length > 0) return null;
  if (!headerSchema.safeParse(json(head)).success) return null;
  const expected = createHmac("sha256", secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, "base64url");
  return given.length === expected.length && timingSafeEqual(given, expected) ? json(body) : null;
}

/** Signs a token with these claims. */
export function signToken(claims: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

function json(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
