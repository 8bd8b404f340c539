import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { forCaller } from "../../caller";
import { whileWarmingUp } from "../../warm-up";

export type Pages = {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** Takes over a hot reload socket, in development only. Returns false for other sockets. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
};

/** A document page, which loads most of the pages' code, and one for signed-out visitors. */
const firstPages = ["/d/00000000-0000-4000-8000-000000000003", "/sign-in"];
/** Pages render at full speed from the second round on. */
const rounds = 2;

/**
 * Starts Next for the checkout in `root`. With `warmUp`, pages are rendered before the first
 * request: Next loads a page's code on first use, which would block other requests.
 */
export async function startPages(options: {
  root: string;
  dev: boolean;
  port: number;
  warmUp: boolean;
}): Promise<Pages> {
  // The main process needs Next only in development and for a hosted project.
  const { default: next } = await import("next");
  // Next listens for upgrades on its server and ends foreign sockets. This server never listens; it
  // only forwards Next's own sockets.
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
  if (options.warmUp && !options.dev) await whileWarmingUp(() => makeFirstPages(handle));
  return {
    handle: (incoming, outgoing) =>
      forCaller(leftBeforeEnd(outgoing), () => handle(incoming, outgoing)),
    upgrade: (incoming, socket, head) =>
      options.dev && relay.emit("upgrade", incoming, socket, head),
    close: () => app.close(),
  };
}

/** Returns a signal that aborts if the connection closes before the response has been sent. */
function leftBeforeEnd(outgoing: ServerResponse): AbortSignal {
  const left = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) left.abort("left");
  });
  return left.signal;
}

/** Requests pages over a private socket, and reads them to the end. */
async function makeFirstPages(handle: Pages["handle"]): Promise<void> {
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  // A TCP server has an address of this type.
  const { port } = server.address() as AddressInfo;
  for (let round = 0; round < rounds; round += 1)
    for (const path of firstPages) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
      await answer.arrayBuffer();
      // A failure must not prevent the start; the next request will fail visibly.
      if (answer.status !== 200)
        console.warn(`Warming up ${path} returned status ${answer.status}.`);
    }
  server.closeAllConnections();
  await new Promise((settle) => server.close(settle));
}
