import { type Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { type Log } from './clock'
import { type Transport } from './connection'

/** Holds back what is written during one event-loop turn, so that each socket is written to once. */
export class Turn {
  readonly #corked = new Set<Duplex>()

  /** Everything written to the stream from now to the end of the turn leaves together. */
  gather(stream: Duplex): void {
    if (this.#corked.has(stream)) return
    if (this.#corked.size === 0) setImmediate(() => this.#release())
    this.#corked.add(stream)
    stream.cork()
  }

  #release(): void {
    const streams = [...this.#corked]
    this.#corked.clear()
    for (const stream of streams) stream.uncork()
  }
}

/**
 * Sends frames over one WebSocket. A client that reads slower than it is written to is cut off when `mostBuffered`
 * bytes wait for it: it comes back and catches up, and memory stays bounded.
 */
export function socketTransport(socket: WebSocket, stream: Duplex, turn: Turn, mostBuffered: number, log: Log): Transport {
  return {
    send({ bytes, binary }) {
      if (socket.readyState !== WebSocket.OPEN) return
      if (socket.bufferedAmount > mostBuffered) {
        log(`realtime: cut off a client that ${socket.bufferedAmount} bytes are waiting for`)
        socket.terminate()
        return
      }
      turn.gather(stream)
      socket.send(bytes, { binary })
    },
    close: (code) => socket.close(code),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
}
