import { accountAnswers } from "./account-answers";
import type { AccountOptions, LiteAuth } from "./account-answers";
import { readAuthCall } from "./auth-endpoints";
import type { AuthCall } from "./auth-endpoints";
import type { Attempt, AuthLimits } from "./auth-limits";
import type { AuthSessions } from "./auth-sessions";
import type { Call } from "../http/call";
import { withMailContext } from "../mail/mail-context";
import { withPasswordWork } from "./password-work";
import { networkOf } from "../http/network";
import { OneAtATime } from "../one-at-a-time";
import { refusal, tooManyTries } from "../http/refusals";
import { usersPath } from "./admin-users";

type AuthOptions = Omit<AccountOptions, "mayMail"> & {
  lite: (request: Request) => Promise<Response>;
  limits: AuthLimits;
  sessions: AuthSessions;
  /** Reads and deletes users for the service. */
  adminUsers: (call: Call, userId: string) => Promise<Response>;
  /** Resolves when all ended sessions are known. */
  endsAreKnown: () => Promise<void>;
  /** Adds the claims that Lite omits to the tokens of a response. */
  withClaims: (call: AuthCall, response: Response) => Promise<Response>;
  /**
   * The target of links in mails. Null lets links lead to the URL under which the app was
   * requested.
   */
  siteUrl: string | null;
  /** The target of links if the host of the request is not trusted. */
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
  return async (call: Call, body: Uint8Array): Promise<Response> => {
    const { head, url, caller, peer, gone } = call;
    const asked = readAuthCall(call, body);
    if (asked instanceof Response) return asked;
    if (asked.path.startsWith(usersPath)) {
      const answer = await adminUsers(call, asked.path.slice(usersPath.length));
      await endsAreKnown();
      return answer;
    }
    const account = caller.claims?.sub ?? null;
    const attempts = attemptsOf(asked, peer, account);
    for (const attempt of attempts) {
      const wait = limits.take(attempt);
      if (wait > 0) return tooManyTries(wait);
    }
    const origin = siteUrl ?? (mayLinkTo(url.host) ? url.origin : ownUrl);
    const ask = liteAuth(lite, call, asked);
    const payer = { network: networkOf(peer), account: account ?? emailOf(asked) ?? "" };
    const answer = () =>
      withPasswordWork(payer, gone, () =>
        withMailContext({ origin, redirect: sameOrigin(asked.redirect, origin) }, () =>
          answers(asked, ask),
        ),
      );
    // Lite treats a token as stolen if it is used again before its successor is stored.
    const answered =
      asked.kind === "refresh"
        ? await refreshes.run(asked.body.refresh_token, answer)
        : await answer();
    if (answered === null)
      return refusal(
        429,
        "over_request_rate_limit",
        "Too many passwords are being checked. Try again in a moment.",
        { "retry-after": "1" },
      );
    const response = await withClaims(asked, answered);
    if (asked.kind === "refresh" && !response.ok) {
      await sessions.endReused(response);
      await endsAreKnown();
    }
    if (!response.ok) return response;
    if (asked.kind === "password") for (const attempt of attempts) limits.succeeded(attempt);
    await sessions.note(response, { peer, agent: head.headers.get("user-agent") });
    if (asked.kind === "user" && asked.body.password !== undefined)
      await sessions.endOthers(caller);
    if (asked.kind === "user" || asked.kind === "scope") await endsAreKnown();
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

/** Calls Lite with the parsed fields only, never with the original request. */
function liteAuth(
  lite: (request: Request) => Promise<Response>,
  { head, url: from }: Call,
  call: AuthCall,
): LiteAuth {
  return (body, other = {}) => {
    const url = new URL(`/auth/v1/${other.path ?? call.path}`, from.origin);
    url.search = String(new URLSearchParams(other.query ?? call.query));
    const headers = new Headers();
    for (const name of ["apikey", "authorization", "user-agent", "x-client-info"]) {
      const value = head.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const key = from.searchParams.get("apikey");
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
