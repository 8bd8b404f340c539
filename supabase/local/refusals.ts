/** An answer of the gateway in the shape that supabase-js shows: `message` is for people, `code` for programs. */
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

/** The wording for too many tries, with the wait in seconds. */
export function tooManyTries(seconds: number): Response {
  const wait = seconds === 1 ? "1 second" : `${seconds} seconds`;
  return refusal(429, "over_request_rate_limit", `Too many tries. Try again in ${wait}.`, {
    "retry-after": String(seconds),
  });
}

/** The refusal of a call behind which too many of its account or network wait. */
export function tooManyCalls(): Response {
  return refusal(429, "over_request_rate_limit", "Too many calls at once. Try again in a moment.", {
    "retry-after": "1",
  });
}

/** The wording for a link or a code that is wrong, spent or too old: which of these is not said. */
export function linkExpired(): Response {
  return refusal(403, "otp_expired", "Token has expired or is invalid");
}
