import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "../operations/log";
import { printedText } from "../operations/error-text";

/** The number of refused sockets that may wait for their response; others are closed at once. */
const mostRefused = 32;
/** How long a refused client may take to read its response, in ms. */
const patience = 1_000;

const body = JSON.stringify({
  code: "too_many_connections",
  message:
    "This workspace has as many connections as it can hold. Nothing you wrote is lost; try again in a moment.",
});
const answer =
  "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\n" +
  `Cache-Control: no-store\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/**
 * Limits open sockets, so that files remain for everything else, and answers sockets beyond the
 * limit. If a process runs out of files, the system closes sockets without a response, and pages,
 * uploads and database connections fail.
 */
export class SocketRoom {
  private readonly most: number;
  private readonly log: Log;
  private readonly open = new Set<Duplex>();
  private readonly refused = new Set<Duplex>();
  private isFull = false;

  constructor(most: number, log: Log) {
    this.most = most;
    this.log = log;
  }

  /** Accepts a socket, or answers and closes it. */
  admit(socket: Socket): boolean {
    if (this.open.size >= this.most) {
      this.full(`This process may open so many files that ${this.most} connections are taken.`);
      this.refuse(socket);
      return false;
    }
    this.open.add(socket);
    socket.once("close", () => {
      this.open.delete(socket);
      if (this.open.size < this.most * 0.9) this.isFull = false;
    });
    return true;
  }

  /** Whether a socket was refused. The requests of a refused socket are ignored. */
  hasRefused(socket: Duplex): boolean {
    return this.refused.has(socket);
  }

  /** Logs that a connection could not be opened. */
  failed(error: Error): void {
    this.full(`A connection could not be opened: ${printedText(error)}.`);
  }

  /** Logs that the limit is reached, once until sockets are free again. */
  private full(what: string): void {
    if (this.isFull) return;
    this.isFull = true;
    this.log(`${what} More are refused until others end. Raise the limit (ulimit -n).`, {
      level: "warn",
    });
  }

  private refuse(socket: Socket): void {
    socket.on("error", () => socket.destroy());
    if (this.refused.size >= mostRefused) {
      socket.destroy();
      return;
    }
    this.refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.once("close", () => {
      clearTimeout(timer);
      this.refused.delete(socket);
    });
    socket.end(answer);
  }
}
