/**
 * Reads an answer of the authentication service. Where it brings a session and this device's clock
 * is ahead of the server's, says when the session ends by this clock: the client would take every
 * token for one that has ended, and renew it before each request. A clock that is behind is let be;
 * a token that is not accepted any more is renewed then.
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
