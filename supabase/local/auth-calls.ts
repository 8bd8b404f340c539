import { accountAnswers, type AccountOptions, type LiteAuth } from "./account-answers";
import { type AuthCall, readAuthCall } from "./auth-endpoints";
import type { Attempt, AuthLimits } from "./auth-limits";
import type { AuthSessions } from "./auth-sessions";
import { withMailContext } from "./mail-context";
import { OneAtATime } from "./one-at-a-time";
import { tooManyTries } from "./refusals";
import { usersPath } from "./admin-users";

type AuthOptions = Omit<AccountOptions, "mayMail"> & {
  lite: (request: Request) => Promise<Response>;
  limits: AuthLimits;
  sessions: AuthSessions;
  /** Reads and deletes users for the service. */
  adminUsers: (request: Request, userId: string) => Promise<Response>;
  /** Settles when every session that has ended is known to have. */
  endsAreKnown: () => Promise<void>;
  /** Gives the tokens of an answer what Lite leaves out of them. */
  withClaims: (call: AuthCall, response: Response) => Promise<Response>;
  /**
   * Where links in mails lead when the request may not say so: the configured site, or null for the
   * address the app was asked under.
   */
  siteUrl: string | null;
  /** Where they lead when the request came under a host that may be anybody's. */
  ownUrl: string;
  mayLinkTo: (host: string) => boolean;
};

/**
 * Answers `/auth/v1`: Lite, behind one reading of the request, rate limits, and what it leaves out
 * of Supabase's behaviour.
 */
export function answerAuth({
  lite,
  limits,
  sessions,
  adminUsers,
  endsAreKnown,
  withClaims,
  siteUrl,
  ownUrl,
  mayLinkTo,
  ...options
}: AuthOptions) {
  const answers = accountAnswers({ ...options, mayMail: limits.mayMail });
  const refreshes = new OneAtATime();
  return async (request: Request, peer: string, body: Uint8Array): Promise<Response> => {
    const call = readAuthCall(request, body);
    if (call instanceof Response) return call;
    if (call.path.startsWith(usersPath)) {
      const answer = await adminUsers(request, call.path.slice(usersPath.length));
      await endsAreKnown();
      return answer;
    }
    const attempt = attemptOf(call, peer);
    const wait = limits.take(attempt);
    if (wait > 0) return tooManyTries(wait);
    const url = new URL(request.url);
    const origin = siteUrl ?? (mayLinkTo(url.host) ? url.origin : ownUrl);
    const ask = liteAuth(lite, request, call);
    const answer = () =>
      withMailContext({ origin, redirect: sameOrigin(call.redirect, origin) }, () =>
        answers(call, ask),
      );
    // Lite takes a token for stolen that it finds spent before the one that follows it is kept.
    const response = await withClaims(
      call,
      call.kind === "refresh"
        ? await refreshes.run(call.body.refresh_token, answer)
        : await answer(),
    );
    if (!response.ok) return response;
    if (call.kind === "password") limits.succeeded(attempt);
    await sessions.note(response, { peer, agent: request.headers.get("user-agent") });
    if (call.kind === "user" && call.body.password !== undefined) await sessions.endOthers(request);
    if (call.kind === "user" || call.kind === "scope") await endsAreKnown();
    return response;
  };
}

function attemptOf(call: AuthCall, peer: string): Attempt {
  const account = call.body !== null && "email" in call.body ? (call.body.email ?? null) : null;
  // Another address is asked for by mail, to itself as well.
  const limitKind = call.kind === "user" && account !== null ? "mail" : call.limitKind;
  return { limitKind, peer, account };
}

/** Asks Lite what was read, and nothing of what was sent. */
function liteAuth(
  lite: (request: Request) => Promise<Response>,
  request: Request,
  call: AuthCall,
): LiteAuth {
  return (body, other = {}) => {
    const url = new URL(`/auth/v1/${other.path ?? call.path}`, request.url);
    url.search = String(new URLSearchParams(other.query ?? call.query));
    const headers = new Headers();
    for (const name of ["apikey", "authorization", "user-agent", "x-client-info"]) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const key = new URL(request.url).searchParams.get("apikey");
    if (key !== null && !headers.has("apikey")) headers.set("apikey", key);
    if (body === null) return lite(new Request(url, { method: call.method, headers }));
    headers.set("content-type", "application/json");
    return lite(
      new Request(url, {
        method: other.path === undefined ? call.method : "POST",
        headers,
        body: JSON.stringify(body),
      }),
    );
  };
}

function sameOrigin(target: string | null, origin: string): string | null {
  if (target === null || !URL.canParse(target)) return null;
  return new URL(target).origin === origin ? target : null;
}
