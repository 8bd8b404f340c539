import { type AddressInfo, connect, createServer } from "node:net";

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      // A server that listens on a port has an address with one.
      const { port } = probe.address() as AddressInfo;
      probe.close(() => found(port));
    });
  });
}

/**
 * Sends a request, and goes on sending after the answer instead of ending; answers what came by the
 * time the socket was closed on it.
 */
export function callStubbornly(port: number, request: string): Promise<string> {
  return new Promise((closed) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let answer = "";
    let trickle: ReturnType<typeof setInterval> | undefined;
    socket.on("data", (bytes) => (answer += bytes.toString()));
    // Only who sends to a socket that is closed is told that it is.
    socket.on("end", () => (trickle = setInterval(() => socket.writable && socket.write("x"), 20)));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(trickle);
      closed(answer);
    });
    socket.write(request);
  });
}
