import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Keys } from "./keys";
import { networkOf } from "./network";
import { refusal } from "./refusals";
import { type Claims, verifyToken } from "./tokens";

/** Calls that carry their own proof in the address: links in mails, and storage's public and signed addresses. */
const keyless: { method: string; path: RegExp }[] = [
  { method: "GET", path: /^\/auth\/v1\/(verify|callback|authorize|health)$/ },
  { method: "GET", path: /^\/storage\/v1\/object\/(public|sign)\// },
  { method: "HEAD", path: /^\/storage\/v1\/object\/(public|sign)\// },
  { method: "PUT", path: /^\/storage\/v1\/object\/upload\/sign\// },
];

/** Who calls the backend, as the headers of the call prove it. */
export type Caller = {
  /** The service's key or token, a person's token, or at most the publishable key. */
  kind: "service" | "person" | "anybody";
  /** Of the token in `Authorization`, which is ours and valid. */
  claims: Readonly<Claims> | null;
};

/**
 * Tells who calls the backend; answers the refusal of a call without a key of ours, or with a token
 * that we did not sign for a role of the API. An empty `Authorization` is removed, which Supabase
 * Lite would take for a broken token. `now` is in seconds.
 */
export function callerOf(request: Request, keys: Keys, now: number): Caller | Response {
  const { headers } = request;
  const url = new URL(request.url);
  const key = headers.get("apikey") ?? url.searchParams.get("apikey");
  // As upstream does: some clients send the header empty when they have no session.
  if (/^\s*(bearer\s*)?$/i.test(headers.get("authorization") ?? ""))
    headers.delete("authorization");
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
  if (key === null) {
    if (keyless.some(({ method, path }) => method === request.method && path.test(url.pathname)))
      return {
        kind: "anybody",
        claims: bearer === null ? null : verifyToken(bearer, keys.jwtSecret, now),
      };
    return refusal(401, "no_api_key", "No API key found in request");
  }
  if (!isKey(key, keys)) return refusal(401, "invalid_api_key", "Invalid API key");
  if (headers.has("authorization") && bearer === null)
    return refusal(401, "bad_jwt", "Invalid token");
  const ofKey = same(key, keys.secretKey) ? "service" : "anybody";
  if (bearer === null) return { kind: ofKey, claims: null };
  if (same(bearer, key)) {
    // Without a session supabase-js repeats the key, and Lite takes one only from its own header.
    headers.delete("authorization");
    return { kind: ofKey, claims: null };
  }
  const claims = verifyToken(bearer, keys.jwtSecret, now);
  if (claims === null) return refusal(401, "bad_jwt", "Invalid or expired token");
  if (ofKey === "service" || claims.role === "service_role") return { kind: "service", claims };
  return { kind: claims.role === "authenticated" ? "person" : "anybody", claims };
}

/** On whose account a call counts: the account of its token, or else the network it comes from. */
export function payerOf({ claims }: Caller, peer: string): string {
  return claims?.sub ?? networkOf(peer);
}

/** Whether a call shows the service's key or token; `now` is in seconds. */
export function isService(request: Request, keys: Keys, now: number): boolean {
  const caller = callerOf(request, keys, now);
  return !(caller instanceof Response) && caller.kind === "service";
}

/** The keys that a handshake brings, in the order in which they are taken: two names of a header, then the address. */
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

/** Tells whether a text is one of the two keys, in time that does not depend on where it differs. */
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
