import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { same } from "../auth/api-key";
import { asRequest } from "../operations/log";
import { handoverHeader } from "./hand-over";

/** The main process limits headers to 16 KiB, and adds a few headers. */
const maxHeaderSize = 32_768;

/**
 * Creates the server on the socket between the two processes. It answers only the main process,
 * which limits and times all requests and closes connections.
 */
export function pageServer(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  secret: string,
  failed: (error: unknown) => void,
): Server {
  const limits = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0, maxHeaderSize };
  return createServer(limits, (incoming, outgoing) => {
    const [given = "", id = ""] = String(incoming.headers[handoverHeader] ?? "").split(" ");
    if (!same(given, secret)) {
      outgoing.writeHead(403, { connection: "close" }).end();
      return;
    }
    delete incoming.headers[handoverHeader];
    asRequest(id, () => handle(incoming, outgoing)).catch((error: unknown) => {
      asRequest(id, () => failed(error));
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  });
}
