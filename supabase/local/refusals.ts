/** An answer of the gateway in the shape that supabase-js shows: `message` is for people, `code` for programs. */
export function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ code, message, msg: message, error: code, error_description: message }, { status, headers })
}

/** The wording for too many tries, with the wait in seconds. */
export function tooManyTries(seconds: number): Response {
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`
  return refusal(429, 'over_request_rate_limit', `Too many tries. Try again in ${wait}.`, { 'retry-after': String(seconds) })
}
