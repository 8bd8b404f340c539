import { accountAnswers, type AccountOptions, type LiteAuth } from "./account-answers";
import { type AuthCall, readAuthCall } from "./auth-endpoints";
import type { Attempt, AuthLimits } from "./auth-limits";
import type { AuthSessions } from "./auth-sessions";
import { withMailContext } from "./mail-context";
import { withPasswordWork } from "./auth/password-work";
import { networkOf } from "./network";
import { OneAtATime } from "./one-at-a-time";
import { refusal, tooManyTries } from "./refusals";
import { verifyToken } from "./tokens";
import { usersPath } from "./admin-users";

type AuthOptions = Omit<AccountOptions, "mayMail"> & {
  lite: (request: Request) => Promise<Response>;
  limits: AuthLimits;
  sessions: AuthSessions;
  /** Reads and deletes users for the service. */
  adminUsers: (request: Request, userId: string) => Promise<Response>;
  /** Resolves when all sessions that have ended are known. */
  endsAreKnown: () => Promise<void>;
  /** Adds the claims that Lite omits to the tokens of a response. */
  withClaims: (call: AuthCall, response: Response) => Promise<Response>;
  /**
   * The target of links in mails, when the request may not choose it: the configured site, or null
   * for the URL under which the app was requested.
   */
  siteUrl: string | null;
  /** Their target if the request's host is not trusted. */
  ownUrl: string;
  mayLinkTo: (host: string) => boolean;
};

/**
 * Answers `/auth/v1`: Lite behind a single parse of the request, rate limits, and the Supabase
 * behaviour that Lite lacks.
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
  return async (
    request: Request,
    peer: string,
    body: Uint8Array,
    gone: AbortSignal,
  ): Promise<Response> => {
    const call = readAuthCall(request, body);
    if (call instanceof Response) return call;
    if (call.path.startsWith(usersPath)) {
      const answer = await adminUsers(request, call.path.slice(usersPath.length));
      await endsAreKnown();
      return answer;
    }
    const caller = callerOf(request, options.jwtSecret);
    const attempts = attemptsOf(call, peer, caller);
    for (const attempt of attempts) {
      const wait = limits.take(attempt);
      if (wait > 0) return tooManyTries(wait);
    }
    const url = new URL(request.url);
    const origin = siteUrl ?? (mayLinkTo(url.host) ? url.origin : ownUrl);
    const ask = liteAuth(lite, request, call);
    const payer = { network: networkOf(peer), account: caller ?? emailOf(call) ?? "" };
    const answer = () =>
      withPasswordWork(payer, gone, () =>
        withMailContext({ origin, redirect: sameOrigin(call.redirect, origin) }, () =>
          answers(call, ask),
        ),
      );
    // Lite treats a token as stolen if it is used again before its successor is stored.
    const answered =
      call.kind === "refresh"
        ? await refreshes.run(call.body.refresh_token, answer)
        : await answer();
    if (answered === null)
      return refusal(
        429,
        "over_request_rate_limit",
        "Too many passwords are being checked. Try again in a moment.",
        { "retry-after": "1" },
      );
    const response = await withClaims(call, answered);
    if (call.kind === "refresh" && !response.ok) {
      await sessions.endReused(response);
      await endsAreKnown();
    }
    if (!response.ok) return response;
    if (call.kind === "password") for (const attempt of attempts) limits.succeeded(attempt);
    await sessions.note(response, { peer, agent: request.headers.get("user-agent") });
    if (call.kind === "user" && call.body.password !== undefined) await sessions.endOthers(request);
    if (call.kind === "user" || call.kind === "scope") await endsAreKnown();
    return response;
  };
}

function attemptsOf(call: AuthCall, peer: string, caller: string | null): Attempt[] {
  const account = emailOf(call);
  if (call.kind !== "user") return [{ limitKind: call.limitKind, peer, account }];
  return [
    // Changing the address also sends a mail to the new one.
    { limitKind: account === null ? null : "mail", peer, account },
    // A new password is hashed and compared with the current one: the work of two sign-ins.
    ...(call.body.password === undefined
      ? []
      : [{ limitKind: "password", peer, account: caller } satisfies Attempt]),
  ];
}

function emailOf({ body }: AuthCall): string | null {
  return body !== null && "email" in body ? (body.email ?? null) : null;
}

/** The account of the request's token. */
function callerOf({ headers }: Request, secret: string): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return (bearer && verifyToken(bearer, secret, Date.now() / 1000)?.sub) ?? null;
}

/** Calls Lite with the parsed fields only, never with the original request. */
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
