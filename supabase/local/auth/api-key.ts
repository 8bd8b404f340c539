import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Keys } from "../keys";
import { networkOf } from "../http/network";
import { refusal } from "../http/refusals";
import { verifyToken } from "./tokens";
import type { Claims } from "./tokens";

/** Calls authorised by their URL: links in mails, and Storage's public and signed URLs. */
const keyless: { method: string; path: RegExp }[] = [
  { method: "GET", path: /^\/auth\/v1\/(verify|callback|authorize|health)$/ },
  { method: "GET", path: /^\/storage\/v1\/object\/(public|sign)\// },
  { method: "HEAD", path: /^\/storage\/v1\/object\/(public|sign)\// },
  { method: "PUT", path: /^\/storage\/v1\/object\/upload\/sign\// },
];

/** The caller of the backend, as proved by the request's headers. */
export type Caller = {
  /** The service's key or token, a person's token, or at most the publishable key. */
  kind: "service" | "person" | "anybody";
  /** The claims of the verified token in `Authorization`. */
  claims: Readonly<Claims> | null;
  /** The rate-limit key: the account of the token, else the network. */
  payer: string;
};

type Asked = { head: Request; url: Readonly<URL>; peer: string };

/**
 * Identifies the caller of the backend. Returns a 401 response if the request has no valid key, or
 * has a token that this backend did not sign. Removes an empty `Authorization`, which Supabase Lite
 * would reject. `now` is in seconds.
 */
export function callerOf(
  { head: { method, headers }, url, peer }: Asked,
  keys: Keys,
  now: number,
): Caller | Response {
  const callerWith = (kind: Caller["kind"], claims: Caller["claims"]): Caller => ({
    kind,
    claims,
    payer: claims?.sub ?? networkOf(peer),
  });
  const key = headers.get("apikey") ?? url.searchParams.get("apikey");
  // Supabase accepts this too: without a session, some clients send an empty header.
  if (/^\s*(bearer\s*)?$/i.test(headers.get("authorization") ?? ""))
    headers.delete("authorization");
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
  if (key === null) {
    if (keyless.some((each) => each.method === method && each.path.test(url.pathname)))
      return callerWith(
        "anybody",
        bearer === null ? null : verifyToken(bearer, keys.jwtSecret, now),
      );
    return refusal(401, "no_api_key", "No API key found in request");
  }
  if (!isKey(key, keys)) return refusal(401, "invalid_api_key", "Invalid API key");
  if (headers.has("authorization") && bearer === null)
    return refusal(401, "bad_jwt", "Invalid token");
  const ofKey = same(key, keys.secretKey) ? "service" : "anybody";
  if (bearer === null) return callerWith(ofKey, null);
  if (same(bearer, key)) {
    // Without a session, supabase-js repeats the key here, but Lite accepts it only as `apikey`.
    headers.delete("authorization");
    return callerWith(ofKey, null);
  }
  const claims = verifyToken(bearer, keys.jwtSecret, now);
  if (claims === null) return invalidToken();
  if (ofKey === "service" || claims.role === "service_role") return callerWith("service", claims);
  return callerWith(claims.role === "authenticated" ? "person" : "anybody", claims);
}

export const invalidToken = () => refusal(401, "bad_jwt", "Invalid or expired token");

/** Whether an admitted caller's token has expired in the meantime; `now` is in seconds. */
export function hasExpired({ claims }: Caller, now: number): boolean {
  return claims !== null && claims.exp <= now;
}

/** Returns the keys of a WebSocket handshake by precedence: two headers, then the query. */
export function handshakeKeys({
  url = "/",
  headers,
}: Pick<IncomingMessage, "url" | "headers">): string[] {
  const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
  const found = [
    first(headers["x-api-key"]),
    first(headers.apikey),
    new URL(url, "http://localhost").searchParams.get("apikey"),
  ];
  return found.filter((key): key is string => typeof key === "string" && key.trim() !== "");
}

/** Whether a text is one of the two keys, in constant time. */
export function isKey(text: string, keys: Keys): boolean {
  const publishable = same(text, keys.publishableKey);
  const secret = same(text, keys.secretKey);
  return publishable || secret;
}

/** Compares two secrets in constant time. */
export function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
