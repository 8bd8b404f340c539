import { request } from "node:http";
import type { Agent, IncomingMessage, ServerResponse } from "node:http";

/** Carries the main process's secret and the request's id. A caller's own value is dropped. */
export const handoverHeader = "x-palimpsest-handover";

/** How to reach the page process. */
export type PageLine = { socketPath: string; secret: string; agent: Agent };

/**
 * "over" once the response has arrived, read or not. "lost" if the connection ended before the head
 * of the response, in which case nothing has been sent to the caller.
 */
export type Outcome = "over" | "lost";

/** These headers apply to a single connection. */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
];
const bodiless = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Forwards a request to the page process, and streams the response back. The request is aborted
 * there if the caller disconnects.
 */
export function handOver(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { socketPath, secret, agent }: PageLine,
  id: string,
): Promise<Outcome> {
  return new Promise((settle) => {
    const asked = request({
      socketPath,
      agent,
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers: headersOf(incoming, `${secret} ${id}`),
      setHost: false,
    });
    outgoing.once("close", () => {
      asked.destroy();
      settle("over");
    });
    asked.once("response", (answer) => {
      copyHead(answer, outgoing);
      // A partial response must not look complete.
      answer.on("error", () => outgoing.destroy());
      answer.once("end", () => settle("over"));
      answer.pipe(outgoing);
    });
    asked.on("error", () => {
      incoming.unpipe(asked);
      // Once the response has begun, its end decides the outcome.
      if (!outgoing.headersSent) settle("lost");
    });
    if (bodiless.has(incoming.method ?? "GET")) asked.end();
    else {
      incoming.once("error", () => asked.destroy());
      incoming.pipe(asked);
    }
  });
}

/** Returns the request's headers, plus those that Next would derive from the caller's socket. */
function headersOf(incoming: IncomingMessage, handover: string): Record<string, string | string[]> {
  const { headers, method = "GET", socket } = incoming;
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !hopByHop.includes(name)) given[name] = value;
  if (bodiless.has(method)) delete given["content-length"];
  given["x-forwarded-for"] ??= socket.remoteAddress ?? "";
  given[handoverHeader] = handover;
  return given;
}

/** Copies status and headers in their original spelling. Headers that are already set stay. */
function copyHead(answer: IncomingMessage, outgoing: ServerResponse): void {
  const values = new Map<string, { name: string; all: string[] }>();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    const [name = "", value = ""] = answer.rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    // The main process sets its own date.
    if (hopByHop.includes(key) || key === "date") continue;
    const known = values.get(key);
    if (known) known.all.push(value);
    else values.set(key, { name, all: [value] });
  }
  outgoing.statusCode = answer.statusCode ?? 502;
  for (const { name, all } of values.values())
    outgoing.setHeader(name, all.length === 1 ? (all[0] ?? "") : all);
  // A streamed response sends its head before its first chunk.
  if (answer.headers["transfer-encoding"] !== undefined) outgoing.flushHeaders();
}
