import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { forCaller } from "../caller";
import { whileWarmingUp } from "../warm-up";

export type Pages = {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** Takes a socket for hot reload, in development only; false when it is not wanted. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
};

/** A document's page, which has most of what pages are made of, and one for who is not signed in. */
const firstPages = ["/d/00000000-0000-4000-8000-000000000003", "/sign-in"];
/** From the second on a page is made as fast as any. */
const rounds = 2;

/**
 * Starts Next for the checkout in `root`, behind a server of ours. `warmUp`: pages are made before
 * the first that somebody asks for, which would hold up everybody else: Next loads the code of a
 * page when it is first asked for.
 */
export async function startPages(options: {
  root: string;
  dev: boolean;
  port: number;
  warmUp: boolean;
}): Promise<Pages> {
  // The main process loads it in development and on a hosted project alone.
  const { default: next } = await import("next");
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
  if (options.warmUp && !options.dev) await whileWarmingUp(() => makeFirstPages(handle));
  return {
    handle: (incoming, outgoing) =>
      forCaller(leftBeforeEnd(outgoing), () => handle(incoming, outgoing)),
    upgrade: (incoming, socket, head) =>
      options.dev && relay.emit("upgrade", incoming, socket, head),
    close: () => app.close(),
  };
}

/** Aborts where the connection of an answer ends before the answer does. */
function leftBeforeEnd(outgoing: ServerResponse): AbortSignal {
  const left = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) left.abort("left");
  });
  return left.signal;
}

/** Asks for pages over a socket that nobody else knows, and reads them to their end. */
async function makeFirstPages(handle: Pages["handle"]): Promise<void> {
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  // What listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  for (let round = 0; round < rounds; round += 1)
    for (const path of firstPages) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
      await answer.arrayBuffer();
      // Whoever asks for it next is told more; nobody is kept from starting for it.
      if (answer.status !== 200) console.warn(`The first ${path} was answered ${answer.status}.`);
    }
  server.closeAllConnections();
  await new Promise((settle) => server.close(settle));
}
