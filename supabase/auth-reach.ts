import { renewalAnswer, unanswered, urlOf } from "./renewal-answer";

/** How long one request of a person waits in all for the auth server, in milliseconds. */
export const authPatience = 3_000;

/** Thrown where it cannot be told who asks: the auth server could not be reached, or did not answer for itself. */
export class AuthUnreachable extends Error {
  override name = "AuthUnreachable";
  constructor() {
    super("The auth server could not be reached, so it is not known who asks.");
  }
}

/**
 * Makes the fetch of one request's client. An auth server that has not answered within the patience
 * is not asked again by the same request: the auth client would go on for half a minute, and renew
 * the session behind an answer that can bring its cookies no more.
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
