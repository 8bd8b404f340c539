/** What says that the auth server could not be asked: the auth client keeps the session then, and asks again. */
export const unanswered = (): Response => new Response(null, { status: 503 });

/**
 * Reads an answer of the backend. The auth client takes nearly every answer to a renewal but a
 * success for a refusal, and forgets the session. Only the auth server's own refusal is one: what a
 * gateway, a limit or a network's login page answered comes out as `unanswered`.
 */
export function renewalAnswer(input: RequestInfo | URL, answer: Response): Response {
  const url = urlOf(input);
  const isRenewal = url.includes("/auth/v1/token") && url.includes("grant_type=refresh_token");
  return !isRenewal || answer.ok || isRefusal(answer) ? answer : unanswered();
}

/** The address that a fetch asks. */
export function urlOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : String(input);
}

/** Refusals of a request's time or rate, which say nothing about the session. */
const later = [408, 425, 429];

function isRefusal({ status, headers }: Response): boolean {
  return (
    status >= 400 &&
    status < 500 &&
    !later.includes(status) &&
    (headers.get("content-type") ?? "").includes("json")
  );
}
