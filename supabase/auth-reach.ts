import { renewalAnswer, unanswered, urlOf } from "./renewal-answer";

/** Total time one request waits for the auth server, in milliseconds. */
export const authPatience = 3_000;

/**
 * Thrown if the caller's session cannot be checked, because the auth server was unreachable or
 * failed.
 */
export class AuthUnreachable extends Error {
  override name = "AuthUnreachable";
  constructor() {
    super("The auth server could not be reached to verify the session");
  }
}

/**
 * Creates the fetch of one request's client. Once the auth server has not responded for
 * `authPatience`, this request stops calling the auth server: the auth client would retry for half
 * a minute, and might renew the session after the response, when its cookies can no longer be set.
 */
export function requestFetch(): typeof fetch {
  let failingSince: number | null = null;
  return async (input, init) => {
    if (!urlOf(input).includes("/auth/v1/")) return fetch(input, init);
    failingSince ??= Date.now();
    const left = failingSince + authPatience - Date.now();
    if (left <= 0) return unanswered();
    const limit = AbortSignal.timeout(left);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const answer = renewalAnswer(input, await fetch(input, { ...init, signal }));
    if (answer.status < 500) failingSince = null;
    return answer;
  };
}
