/**
 * Corrects an auth response for a fast device clock. If the response has a session and this clock
 * is ahead of the server's, `expires_at` is set by this clock. Otherwise the client would consider
 * every token expired, and renew the session before each request. A slow clock needs no correction,
 * because a refused token is renewed.
 */
export async function byOwnClock(answer: Response): Promise<Response> {
  if (!answer.ok || !answer.headers.get("content-type")?.includes("json")) return answer;
  const tokens: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  if (
    typeof tokens !== "object" ||
    tokens === null ||
    !("expires_at" in tokens) ||
    !("expires_in" in tokens)
  )
    return answer;
  const end = Math.floor(Date.now() / 1_000) + Number(tokens.expires_in);
  if (!(end > Number(tokens.expires_at))) return answer;
  return new Response(JSON.stringify({ ...tokens, expires_at: end }), answer);
}
