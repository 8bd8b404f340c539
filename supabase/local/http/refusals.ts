/**
 * Creates an error response in the form that supabase-js expects: `message` for people, `code` for
 * programs.
 */
export function refusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { code, error_code: code, message, msg: message, error: code, error_description: message },
    { status, headers },
  );
}

/** Returns the response to too many attempts, with the wait in seconds. */
export function tooManyTries(seconds: number): Response {
  const wait = seconds === 1 ? "1 second" : `${seconds} seconds`;
  return refusal(429, "over_request_rate_limit", `Too many tries. Try again in ${wait}.`, {
    "retry-after": String(seconds),
  });
}

/** Returns the response to a call when too many calls of its account or network wait. */
export function tooManyCalls(): Response {
  return refusal(429, "over_request_rate_limit", "Too many calls at once. Try again in a moment.", {
    "retry-after": "1",
  });
}

/** Returns the same response for a wrong, used or expired link or code. */
export function linkExpired(): Response {
  return refusal(403, "otp_expired", "Token has expired or is invalid");
}
