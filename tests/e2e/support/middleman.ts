import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";

/** Answers a request in place of the product, or returns false to forward it. */
export type Meddling = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

export type Middleman = {
  url: string;
  /**
   * Answers requests in place of the product, and closes every open socket. Null forwards all
   * requests.
   */
  meddle(meddling: Meddling | null): void;
  close(): Promise<void>;
};

/**
 * Starts a proxy between a browser and the product, like a network's gateway. The service worker's
 * requests also pass through the proxy. It can front several servers: `serverOf` returns the server
 * of a path.
 */
export async function middleman(serverOf: (path: string) => string): Promise<Middleman> {
  const targetOf = (incoming: IncomingMessage) => new URL(serverOf(incoming.url ?? "/"));
  const sockets = new Set<Socket>();
  let meddling: Meddling | null = null;
  const server = createServer((incoming, outgoing) => {
    if (meddling?.(incoming, outgoing)) return;
    const { method, url, headers } = incoming;
    const target = targetOf(incoming);
    const onward = request(
      { host: target.hostname, port: target.port, method, path: url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (incoming, socket, head) => {
    if (meddling) return void socket.destroy();
    const target = targetOf(incoming);
    const onward = connect(Number(target.port), target.hostname, () => {
      const lines = Object.entries(incoming.headers).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      onward.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const [one, other] of [
      [onward, socket],
      [socket, onward],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    meddle(next) {
      meddling = next;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      const closed = new Promise<void>((settle) => server.close(() => settle()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
