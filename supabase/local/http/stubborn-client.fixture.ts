import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** Finds a port without a listener. */
export function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      // A TCP server has an address with a port.
      const { port } = probe.address() as AddressInfo;
      probe.close(() => found(port));
    });
  });
}

/**
 * Sends a request and keeps sending after the response. Returns the received text once the socket
 * is closed.
 */
export function callStubbornly(port: number, request: string): Promise<string> {
  return new Promise((closed) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let answer = "";
    let trickle: ReturnType<typeof setInterval> | undefined;
    socket.on("data", (bytes) => (answer += bytes.toString()));
    // Only writing reveals that the other side has closed the socket.
    socket.on("end", () => (trickle = setInterval(() => socket.writable && socket.write("x"), 20)));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(trickle);
      closed(answer);
    });
    socket.write(request);
  });
}
