import type { IncomingMessage, ServerResponse } from "node:http";
import { answerEarly } from "../http/http";
import { refusal } from "../http/refusals";

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="refresh" content="2">
    <title>One moment</title>
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem; }
    </style>
  </head>
  <body>
    <h1>One moment</h1>
    <p>This page is not available right now. Nothing you wrote is lost. The page reloads by itself.</p>
  </body>
</html>
`;
const headers = {
  "cache-control": "no-store",
  "retry-after": "1",
  "x-content-type-options": "nosniff",
};
const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * Answers a request while pages cannot be rendered. Browsers get a page that reloads, programs get
 * a 503.
 */
export function answerAway(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const isForPeople = incoming.headers.accept?.includes("text/html") === true;
  const answer = isForPeople
    ? new Response(html, {
        status: 503,
        headers: {
          ...headers,
          "content-type": "text/html; charset=utf-8",
          "content-length": String(Buffer.byteLength(html)),
          "content-security-policy": policy,
        },
      })
    : refusal(
        503,
        "pages_away",
        "Pages are not available right now. Nothing you wrote is lost; try again in a moment.",
        headers,
      );
  return answerEarly(answer, incoming, outgoing);
}
