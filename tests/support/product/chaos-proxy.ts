import { connect, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { seededRandom } from "@/events/core/virtual-clock.fixture";

/** `up` is the direction from the clients to the product. */
export type Direction = "up" | "down";

/** The current state of the line, which also applies to open connections. */
type Line = {
  /** The speed limit of each direction of a connection, or null without a limit. */
  bytesPerSecond: number | null;
  /** Milliseconds by which each byte is delayed, per direction. */
  delay: number;
  /** The share of recorded appends whose answer is replaced by a reset. */
  lostAnswers: number;
};

type Counts = {
  connections: number;
  cuts: number;
  /** The number of connections that were cut between a request and its answer. */
  cutsBeforeAnswer: number;
  halfOpened: number;
  swallowedBytes: number;
  lostAnswers: number;
};

// The size of a packet on a slow line, in bytes.
const packet = 1_400;
// Read-ahead limit on a slow line, so that the sender notices how slow it is.
const mostWaiting = 64 * 1024;

/** One direction of one connection. The order of bytes is kept whatever the line does. */
class Flow {
  isSwallowing = false;
  private readonly from: Socket;
  private readonly to: Socket;
  private readonly line: Line;
  private readonly swallowed: (bytes: number) => void;
  private queue: { due: number; bytes: Buffer | null }[] = [];
  private waiting = 0;
  private lastDue = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(from: Socket, to: Socket, line: Line, swallowed: (bytes: number) => void) {
    this.from = from;
    this.to = to;
    this.line = line;
    this.swallowed = swallowed;
  }

  /** Handles the next bytes. Null is the end of the stream. */
  take(bytes: Buffer | null): void {
    if (this.isSwallowing) return this.swallowed(bytes?.length ?? 0);
    const { bytesPerSecond } = this.line;
    const size = bytesPerSecond === null ? Infinity : packet;
    if (bytes === null) this.add(null);
    else for (let at = 0; at < bytes.length; at += size) this.add(bytes.subarray(at, at + size));
    if (this.waiting > mostWaiting) this.from.pause();
    this.pump();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.queue = [];
  }

  private add(bytes: Buffer | null): void {
    const { bytesPerSecond, delay } = this.line;
    const length = bytes?.length ?? 0;
    const sending = bytesPerSecond === null ? 0 : (length / bytesPerSecond) * 1_000;
    const due = Math.max(performance.now() + delay, this.lastDue) + sending;
    this.lastDue = due;
    this.waiting += length;
    this.queue.push({ due, bytes });
  }

  private pump(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    for (;;) {
      const [first] = this.queue;
      if (!first) break;
      const wait = first.due - performance.now();
      if (wait > 0) {
        this.timer = setTimeout(() => this.pump(), wait);
        break;
      }
      this.queue.shift();
      this.waiting -= first.bytes?.length ?? 0;
      if (this.isSwallowing) this.swallowed(first.bytes?.length ?? 0);
      else if (first.bytes === null) this.to.end();
      else this.to.write(first.bytes);
    }
    if (this.waiting <= mostWaiting && this.from.isPaused()) this.from.resume();
  }
}

type Connection = {
  flows: Record<Direction, Flow>;
  isUnanswered: boolean;
  isHalfOpen: boolean;
  reset(): void;
};

/**
 * A lossy line between clients and a product. The line cuts connections, lets connections die
 * silently, is slow, or loses the answer to a recorded append. It never invents, duplicates or
 * reorders bytes. The seed decides which connections and answers are affected.
 */
export class ChaosProxy {
  readonly line: Line = { bytesPerSecond: null, delay: 0, lostAnswers: 0 };
  readonly counts: Counts = {
    connections: 0,
    cuts: 0,
    cutsBeforeAnswer: 0,
    halfOpened: 0,
    swallowedBytes: 0,
    lostAnswers: 0,
  };
  private readonly random: ReturnType<typeof seededRandom>;
  private readonly server: Server;
  private readonly target: number;
  private readonly connections = new Set<Connection>();

  private constructor(target: number, seed: number) {
    this.random = seededRandom(seed);
    this.target = target;
    // A half-open socket must stay open for a client that has closed its side.
    this.server = createServer({ allowHalfOpen: true }, (client) => this.accept(client));
  }

  /** Listens on a free loopback port in front of a product. */
  static async open(target: number, seed: number): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(target, seed);
    await new Promise<void>((settle, reject) =>
      proxy.server.once("error", reject).listen(0, "127.0.0.1", settle),
    );
    return proxy;
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy is closed.");
    return `http://127.0.0.1:${address.port}`;
  }

  /** Resets each open connection with this probability. */
  cut(probability = 1): void {
    for (const connection of [...this.connections]) {
      if (!this.random.chance(probability)) continue;
      this.counts.cuts += 1;
      if (connection.isUnanswered) this.counts.cutsBeforeAnswer += 1;
      connection.reset();
    }
  }

  /** Swallows all later data of open connections in these directions, including their end. */
  halfOpen(...directions: Direction[]): void {
    for (const connection of this.connections) {
      this.counts.halfOpened += 1;
      connection.isHalfOpen = true;
      for (const direction of directions) connection.flows[direction].isSwallowing = true;
    }
  }

  async close(): Promise<void> {
    for (const connection of [...this.connections]) connection.reset();
    await new Promise((settle) => this.server.close(settle));
  }

  private accept(client: Socket): void {
    const product = connect({ port: this.target, host: "127.0.0.1", allowHalfOpen: true });
    const swallowed = (bytes: number) => (this.counts.swallowedBytes += bytes);
    const up = new Flow(client, product, this.line, swallowed);
    const down = new Flow(product, client, this.line, swallowed);
    const connection: Connection = {
      flows: { up, down },
      isUnanswered: false,
      isHalfOpen: false,
      reset: () => {
        this.connections.delete(connection);
        up.stop();
        down.stop();
        client.resetAndDestroy();
        product.resetAndDestroy();
      },
    };
    this.counts.connections += 1;
    this.connections.add(connection);
    let isAppend = false;
    client.on("data", (bytes: Buffer) => {
      connection.isUnanswered = true;
      if (bytes.includes("POST /rest/v1/rpc/append_events")) isAppend = true;
      up.take(bytes);
    });
    product.on("data", (bytes: Buffer) => {
      connection.isUnanswered = false;
      const isRecorded = isAppend && bytes.includes("HTTP/1.1 200");
      isAppend = false;
      if (isRecorded && this.random.chance(this.line.lostAnswers)) {
        this.counts.lostAnswers += 1;
        connection.reset();
      } else down.take(bytes);
    });
    for (const [socket, flow] of [
      [client, up],
      [product, down],
    ] as const) {
      socket.setNoDelay(true);
      socket.on("end", () => flow.take(null));
      // The surviving side of a half-open connection does not learn of errors.
      socket.on("error", () => !connection.isHalfOpen && connection.reset());
      socket.on("close", () => {
        if (!connection.isHalfOpen && client.destroyed && product.destroyed)
          this.connections.delete(connection);
      });
    }
  }
}
