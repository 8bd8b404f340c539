import { STATUS_CODES } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { handshakeKeys } from "@/supabase/local/auth/api-key";
import type { Clock } from "./clock";
import type { Serializer } from "./frames/frame";
import type { Hub } from "./hub";
import { serializerV1 } from "./frames/serializer-v1";
import { serializerV2 } from "./frames/serializer-v2";
import { tokenSentence } from "./token";

export type Client = { serializer: Serializer; token: string; headers: Record<string, string> };
/** The parts of an upgrade request that are checked. */
export type Upgrade = Pick<IncomingMessage, "url" | "headers">;
type Handshake = { ok: true; client: Client } | { ok: false; status: number; message: string };

function serializerFor(version: string): Serializer | null {
  if (/^1\.0(\.\d+)?$/.test(version)) return serializerV1;
  return /^2\.0(\.\d+)?$/.test(version) ? serializerV2 : null;
}

/** Returns the client's `x-` headers, the only part of the request that policies may read. */
function ownHeaders(request: Upgrade): Record<string, string> {
  const own = Object.entries(request.headers).filter(([name]) => name.startsWith("x-"));
  return Object.fromEntries(
    own.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

/** Checks an upgrade request, and returns the client or a refusal. */
export function readHandshake(
  hub: Hub,
  request: Upgrade,
  allowedOrigin?: (origin: string, host: string) => boolean,
): Handshake {
  const refuse = (status: number, message: string): Handshake => ({ ok: false, status, message });
  const { origin, host = "" } = request.headers;
  if (origin !== undefined && allowedOrigin !== undefined && !allowedOrigin(origin, host)) {
    return refuse(403, "This origin may not connect");
  }
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const serializer = serializerFor(query.get("vsn") ?? "1.0.0");
  if (serializer === null) return refuse(403, "Unsupported protocol version");

  const [token] = handshakeKeys(request);
  if (token === undefined) return refuse(401, "API key is missing");
  const verdict = hub.verify(token, hub.clock.now());
  if (!verdict.ok)
    return refuse(
      401,
      verdict.error.name === "expired" ? "Token has expired" : tokenSentence(verdict.error),
    );
  if (hub.usage.connected.size >= hub.usage.limits.connections)
    return refuse(429, "Too many connected users");
  if (hub.usage.joins.triggered) return refuse(429, "Too many joins per second");
  return { ok: true, client: { serializer, token, headers: ownHeaders(request) } };
}

/**
 * Refuses a handshake in plain HTTP after `backoff` ms, which slows down clients that retry in a
 * loop.
 */
export function refuseHandshake(
  clock: Clock,
  backoff: number,
  stream: Duplex,
  status: number,
  message: string,
): void {
  const body = JSON.stringify({ error: message });
  stream.on("error", () => stream.destroy());
  // Otherwise, a client that does not close its side would keep the socket open forever.
  stream.once("finish", () => stream.destroy());
  clock.after(backoff, () => {
    stream.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
