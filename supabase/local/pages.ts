import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import next from "next";

export type Pages = {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** Takes a socket for hot reload, in development only; false when it is not wanted. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
};

/** Starts Next for the checkout in `root`, behind a server of ours. */
export async function startPages(options: {
  root: string;
  dev: boolean;
  port: number;
}): Promise<Pages> {
  // Next listens for upgrades on the server it is given and ends sockets that are not its own. This one never
  // listens; it only hands on what is Next's.
  const relay = createServer();
  const app = next({
    dev: options.dev,
    dir: options.root,
    port: options.port,
    hostname: "localhost",
    httpServer: relay,
  });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: (incoming, outgoing) => handle(incoming, outgoing),
    upgrade: (incoming, socket, head) =>
      options.dev && relay.emit("upgrade", incoming, socket, head),
    close: () => app.close(),
  };
}
