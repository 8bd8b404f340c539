import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import next from 'next'

export type Pages = {
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>
  /** Hot reload, in development only. */
  upgrade: ((incoming: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>) | null
  close(): Promise<void>
}

/** Starts Next for the checkout in `root`, behind a server of ours. */
export async function startPages(options: { root: string; dev: boolean; port: number }): Promise<Pages> {
  const app = next({
    dev: options.dev,
    dir: options.root,
    port: options.port,
    hostname: 'localhost',
    // Next adds an upgrade listener to the server it is given and ends sockets that are not its own; this one never listens.
    httpServer: createServer(),
  })
  await app.prepare()
  const handle = app.getRequestHandler()
  return {
    handle: (incoming, outgoing) => handle(incoming, outgoing),
    upgrade: options.dev ? app.getUpgradeHandler() : null,
    close: () => app.close(),
  }
}
