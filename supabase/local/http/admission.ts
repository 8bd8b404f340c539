import { callerOf } from "../auth/api-key";
import type { Caller } from "../auth/api-key";
import { nestsEmbeds } from "../rest/embeds";
import type { Keys } from "../keys";
import type { LiveSessions } from "../auth/live-sessions";
import type { Mailbox } from "../mail/mailbox";
import { isMailSender, listMail } from "../mail/mail-endpoint";
import { networkOf } from "./network";
import { asksForPlan, withExactCount } from "../rest/preferences";
import { refusal } from "./refusals";
import { invalidAddress } from "../storage/storage-answers";
import { signedAddress } from "../auth/tokens";
import { isSignedUpload } from "./call";
import type { Call } from "./call";
import { addressRefusal } from "./request-bounds";

/** The path of caught mail. */
export const mail = "/mail/messages.json";

/** Whether a path belongs to the backend rather than to the pages. */
export function isBackendPath(path: string): boolean {
  return /^\/(auth|rest|storage|functions|realtime|graphql)\/v1(\/|$)/.test(path) || path === mail;
}

type Admission = { keys: Keys; mailbox: Mailbox; sessions: LiveSessions };
/** `isOwn` is true for requests from this machine. */
type Asked = Pick<Call, "head" | "url" | "peer"> & { isOwn: boolean };

/**
 * Checks a request by its URL and headers. Returns the caller, with a verified token and a session
 * that has not ended, or returns a refusal.
 */
export async function admit(admission: Admission, asked: Asked): Promise<Caller | Response> {
  const caller = callerAt(admission, asked, Date.now() / 1000);
  const session = caller instanceof Response ? undefined : caller.claims?.session_id;
  if (session === undefined || (await admission.sessions.holds(session))) return caller;
  const isAuth = asked.url.pathname.startsWith("/auth/");
  return refusal(isAuth ? 403 : 401, "session_not_found", "The session of the token has ended");
}

/** Identifies the caller, or refuses the request; `now` is in seconds. */
function callerAt({ keys, mailbox }: Admission, asked: Asked, now: number): Caller | Response {
  const { head, url, peer, isOwn } = asked;
  const { pathname, searchParams } = url;
  // Dot segments may have changed the path. Also, Lite would decode and serve paths that the rate
  // limits do not recognise.
  const isPlain =
    isBackendPath(pathname) && (!pathname.startsWith("/auth/") || /^[\w./-]+$/.test(pathname));
  if (!isPlain) return refusal(404, "not_found", "Not found");
  // Postgres text cannot hold NUL, and URL parsers disagree on it.
  if (head.url.includes("%00"))
    return refusal(400, "bad_request", "The URL contains a NUL character.");
  if (pathname === mail) {
    if (head.method === "GET") return listMail(mailbox, isOwn, searchParams.get("to"));
    if (head.method !== "POST") return refusal(405, "method_not_allowed", "Method not allowed");
    return isMailSender(head, keys)
      ? { kind: "service", claims: null, payer: networkOf(peer) }
      : refusal(401, "invalid_api_key", "Invalid API key");
  }
  if (pathname.startsWith("/graphql/"))
    return refusal(404, "not_found", "The embedded backend does not offer GraphQL.");
  // Pages are on the same origin and need no preflight; other origins get no CORS headers.
  if (head.method === "OPTIONS") return new Response(null, { status: 204 });
  const caller = callerOf(asked, keys, now);
  if (caller instanceof Response || caller.kind === "service") return caller;
  const refused = addressRefusal(url, head.headers);
  if (refused) return refused;
  if (pathname.startsWith("/rest/")) {
    if (asksForPlan(head.headers))
      return refusal(406, "PGRST107", "Query plans are not available.");
    if (nestsEmbeds(searchParams))
      return refusal(
        400,
        "PGRST127",
        "Rows are embedded one level deep; ask for what is deeper by a request of its own.",
      );
    withExactCount(head.headers);
  }
  if (!isSignedUpload(asked)) return caller;
  const address = signedAddress(searchParams.get("token") ?? "", "upload", keys.jwtSecret, now);
  return address === "valid" ? { ...caller, kind: "person" } : invalidAddress(address);
}
