/** Creates the response of an unreachable auth server: the auth client keeps its session. */
export const unanswered = (): Response => new Response(null, { status: 503 });

/**
 * Filters a backend response. The auth client treats nearly every failed renewal as a refusal, and
 * drops the session. Only the auth server itself refuses a session, so responses of a gateway, a
 * rate limit or a captive portal become `unanswered`.
 */
export function renewalAnswer(input: RequestInfo | URL, answer: Response): Response {
  const url = urlOf(input);
  const isRenewal = url.includes("/auth/v1/token") && url.includes("grant_type=refresh_token");
  return !isRenewal || answer.ok || isRefusal(answer) ? answer : unanswered();
}

/** Returns the URL of a fetch. */
export function urlOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : String(input);
}

/** Timeouts and rate limits, which do not affect the session. */
const later = [408, 425, 429];

function isRefusal({ status, headers }: Response): boolean {
  return (
    status >= 400 &&
    status < 500 &&
    !later.includes(status) &&
    (headers.get("content-type") ?? "").includes("json")
  );
}
