import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { Log } from "./clock";
import type { Transport } from "./connection";
import type { Frame } from "./frames/frame";

const wires = new WeakMap<Frame, Buffer>();

/**
 * Returns a frame in RFC 6455's wire format for servers: unfragmented and unmasked. The result is
 * cached for all receivers.
 */
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

/** The sockets written to per tick of the event loop. A write is a system call of some 10 µs. */
export const mostWrites = 200;

/**
 * Collects the messages of one event-loop tick, so that each socket is written to once. With many
 * sockets, the batch yields to other work in between: `later` schedules the next part.
 */
export class WriteBatch {
  private readonly later: (write: () => void) => void;
  private filled = new Set<Outbox>();

  constructor(later: (write: () => void) => void = setImmediate) {
    this.later = later;
  }

  add(outbox: Outbox, wire: Buffer): void {
    outbox.waiting.push(wire);
    const isFirst = this.filled.size === 0;
    this.filled.add(outbox);
    if (isFirst) this.later(() => this.writeSome());
  }

  private writeSome(): void {
    let written = 0;
    for (const outbox of this.filled) {
      if (written === mostWrites) {
        this.later(() => this.writeSome());
        return;
      }
      this.write(outbox);
      written += 1;
    }
  }

  /** Writes one socket's pending messages now. */
  write(outbox: Outbox): void {
    this.filled.delete(outbox);
    const { stream, waiting } = outbox;
    outbox.waiting = [];
    if (!stream.writable) return;
    if (waiting.length > 1) stream.cork();
    for (const wire of waiting) stream.write(wire);
    if (waiting.length > 1) stream.uncork();
  }
}

/**
 * Sends frames over one WebSocket by writing to its stream, which bypasses `ws`. This is safe
 * because compression is off: `ws` then keeps no state between frames, and a frame is built once
 * for all receivers. A client with `mostBuffered` pending bytes is disconnected, which bounds
 * memory. The client reconnects and catches up.
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
        log(`realtime: closed a slow client with ${stream.writableLength} unsent bytes`);
        socket.terminate();
        return;
      }
      batch.add(outbox, wireOf(frame));
    },
    close(code) {
      // Earlier messages must be written before the close frame.
      batch.write(outbox);
      socket.close(code);
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}
