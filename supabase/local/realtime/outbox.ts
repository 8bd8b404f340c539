import { type Duplex } from "node:stream";
import { WebSocket } from "ws";
import { type Log } from "./clock";
import { type Transport } from "./connection";
import { type Frame } from "./frame";

const wires = new WeakMap<Frame, Buffer>();

/** The frame as RFC 6455 puts it on the wire from a server: whole and unmasked. Made once, however many receive it. */
export function wireOf(frame: Frame): Buffer {
  const known = wires.get(frame);
  if (known !== undefined) return known;
  const { length } = frame.bytes;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const wire = Buffer.allocUnsafe(2 + extra + length);
  wire[0] = frame.binary ? 0x82 : 0x81;
  wire[1] = extra === 0 ? length : extra === 2 ? 126 : 127;
  if (extra === 2) wire.writeUInt16BE(length, 2);
  if (extra === 8) wire.writeBigUInt64BE(BigInt(length), 2);
  frame.bytes.copy(wire, 2 + extra);
  wires.set(frame, wire);
  return wire;
}

type Outbox = { stream: Duplex; waiting: Buffer[] };

/** So many sockets are written to in one turn of the event loop: each takes a call of the system, some 10 µs. */
export const mostWrites = 200;

/**
 * Holds back what is sent during one event-loop turn, so that each socket is written to once. Where that is many
 * sockets, other work goes on between some of them and the next: `later` begins a turn of its own.
 */
export class WriteBatch {
  readonly #later: (write: () => void) => void;
  #filled = new Set<Outbox>();

  constructor(later: (write: () => void) => void = setImmediate) {
    this.#later = later;
  }

  add(outbox: Outbox, wire: Buffer): void {
    outbox.waiting.push(wire);
    const isFirst = this.#filled.size === 0;
    this.#filled.add(outbox);
    if (isFirst) this.#later(() => this.#writeSome());
  }

  #writeSome(): void {
    let written = 0;
    for (const outbox of this.#filled) {
      if (written === mostWrites) {
        this.#later(() => this.#writeSome());
        return;
      }
      this.write(outbox);
      written += 1;
    }
  }

  /** Writes what waits for one socket now. */
  write(outbox: Outbox): void {
    this.#filled.delete(outbox);
    const { stream, waiting } = outbox;
    outbox.waiting = [];
    if (!stream.writable) return;
    if (waiting.length > 1) stream.cork();
    for (const wire of waiting) stream.write(wire);
    if (waiting.length > 1) stream.uncork();
  }
}

/**
 * Sends frames over one WebSocket. They go past `ws` to its stream, which is safe because compression is off: `ws` then
 * keeps no state between frames, and a frame for many receivers is built once instead of once for each.
 * A client that reads slower than it is written to is cut off when `mostBuffered` bytes wait for it: it comes back and
 * catches up, and memory stays bounded.
 */
export function socketTransport(
  socket: WebSocket,
  stream: Duplex,
  batch: WriteBatch,
  mostBuffered: number,
  log: Log,
): Transport {
  const outbox: Outbox = { stream, waiting: [] };
  return {
    send(frame) {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (stream.writableLength > mostBuffered) {
        log(`realtime: cut off a client that ${stream.writableLength} bytes are waiting for`);
        socket.terminate();
        return;
      }
      batch.add(outbox, wireOf(frame));
    },
    close(code) {
      // What was sent before must be on the wire before the closing frame.
      batch.write(outbox);
      socket.close(code);
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}
