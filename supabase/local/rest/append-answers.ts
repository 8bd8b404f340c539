/** `outcome` is "recorded", "failed" or a refusal's name, and "refused" if REST refused. */
export type Answered = { response: Response; outcome: string };

/**
 * Returns the response to an append that may not have been recorded. Sending the same events again
 * is safe: recorded events get their rulings (acknowledgements).
 */
export function tooBusy(code: string): Answered {
  const message = "The database could not record these events now. Send the same events again.";
  const body = JSON.stringify({ code, details: null, hint: null, message });
  return { response: json(503, body, { "retry-after": "1" }), outcome: "failed" };
}

export function nestedTooDeeply(): Answered {
  const message = "invalid-event";
  const details = "events are nested too deeply";
  const body = JSON.stringify({ code: "PT400", details, hint: "batch-malformed", message });
  return { response: json(400, body), outcome: message };
}

export function json(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    },
  });
}
