import { type Agent, type IncomingMessage, request, type ServerResponse } from "node:http";

/** Brings the secret of the main process and the id of the request; no caller's own reaches a page. */
export const handoverHeader = "x-palimpsest-handover";

/** Where pages are rendered. */
export type PageLine = { socketPath: string; secret: string; agent: Agent };

/** "over" once the answer has come, read or not; "lost" where the connection ended before the head of an answer: the caller has not been answered. */
export type Outcome = "over" | "lost";

/** They concern one connection each. */
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
 * Hands a request over to the process that renders pages, and its answer back, both as they come. It
 * ends there when its caller disconnects.
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
      // Half an answer must not look like a whole one.
      answer.on("error", () => outgoing.destroy());
      answer.once("end", () => settle("over"));
      answer.pipe(outgoing);
    });
    asked.on("error", () => {
      incoming.unpipe(asked);
      // Once there is an answer, its own end counts.
      if (!outgoing.headersSent) settle("lost");
    });
    if (bodiless.has(incoming.method ?? "GET")) asked.end();
    else {
      incoming.once("error", () => asked.destroy());
      incoming.pipe(asked);
    }
  });
}

/** The headers of a request, with those that Next would take from the caller's socket. */
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

/** Takes over status and headers, each under its own spelling, beside those that are set already. */
function copyHead(answer: IncomingMessage, outgoing: ServerResponse): void {
  const values = new Map<string, { name: string; all: string[] }>();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    const [name = "", value = ""] = answer.rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    // Of the time the main process says what it is by itself.
    if (hopByHop.includes(key) || key === "date") continue;
    const known = values.get(key);
    if (known) known.all.push(value);
    else values.set(key, { name, all: [value] });
  }
  outgoing.statusCode = answer.statusCode ?? 502;
  for (const { name, all } of values.values())
    outgoing.setHeader(name, all.length === 1 ? (all[0] ?? "") : all);
  // What is streamed begins before its first words.
  if (answer.headers["transfer-encoding"] !== undefined) outgoing.flushHeaders();
}
