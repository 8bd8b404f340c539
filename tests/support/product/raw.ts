import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string };
export type RawCall = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

/**
 * Sends a request exactly as written, including Host, Origin and dots in the path, which `fetch`
 * does not allow.
 */
export function raw(url: string, call: RawCall = {}): Promise<RawAnswer> {
  return new Promise((settle, reject) => {
    const { origin } = new URL(url);
    const path = url.slice(origin.length) || "/";
    const outgoing = request(
      origin,
      { path, method: call.method ?? "GET", headers: call.headers ?? {}, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () =>
          settle({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on("error", reject);
    // A response never ends an accepted WebSocket.
    outgoing.on("upgrade", (incoming, socket) => {
      socket.destroy();
      settle({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: "" });
    });
    outgoing.end(call.body);
  });
}
