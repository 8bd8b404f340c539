/**
 * Reads an answer of the authentication service. Where it brings a session and this device's clock is ahead of the
 * server's, says when the session ends by this clock: the client would take every token for one that has ended, and renew it
 * before each request. A clock that is behind is let be; a token that is not accepted any more is renewed then.
 */
export async function byOwnClock(answer: Response): Promise<Response> {
  if (!answer.ok || !answer.headers.get("content-type")?.includes("json")) return answer;
  const said: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  if (
    typeof said !== "object" ||
    said === null ||
    !("expires_at" in said) ||
    !("expires_in" in said)
  )
    return answer;
  const end = Math.floor(Date.now() / 1_000) + Number(said.expires_in);
  if (!(end > Number(said.expires_at))) return answer;
  return new Response(JSON.stringify({ ...said, expires_at: end }), answer);
}
