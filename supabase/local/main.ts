import { mkdir } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { startBackend } from './backend'
import { openFrontDoor, pathOf, type Rooms, turnAway } from './front-door'
import { answerBackend, isBackendPath, mayOpenSocket } from './gateway'
import { lockFolder } from './lock'
import { isLoopback } from './origin'
import { startPages } from './pages'
import { readSettings, type Settings } from './settings'
import { sendResponse } from './http'
import { refusal } from './refusals'

const log = (line: string) => console.log(line)
const undo: { name: string; step: () => Promise<void> }[] = []

/** Starts everything on one port and prints one line when it can be used; ends the process with a sentence when it cannot. */
export async function main(root: string): Promise<void> {
  const begun = performance.now()
  endWithSignals()
  try {
    const settings = readSettings(process.env, process.argv.slice(2), root)
    // The port, then the folder's lock, and only then the data: whoever comes second leaves without having touched anything.
    const door = await openFrontDoor(settings, log)
    undo.push({ name: 'the port', step: door.close })
    const rooms = settings.hosted ? await hostedRooms(settings, root) : await embeddedRooms(settings, root)
    door.open(rooms)
    log(`Ready on ${addresses(settings).join(' and ')} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  } catch (error) {
    console.error(explain(error))
    await end(1)
  }
}

async function hostedRooms(settings: Settings, root: string): Promise<Rooms> {
  log(`Using the Supabase project at ${process.env.NEXT_PUBLIC_SUPABASE_URL}`)
  const pages = await startPages({ root, dev: settings.dev, port: settings.port })
  undo.push({ name: 'the pages', step: pages.close })
  return {
    request: (incoming, outgoing) => pages.handle(incoming, outgoing),
    async upgrade(incoming, socket, head) {
      if (!pages.upgrade(incoming, socket, head)) turnAway(socket, '404 Not Found')
    },
  }
}

async function embeddedRooms(settings: Settings, root: string): Promise<Rooms> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o711 })
  undo.push({ name: 'the data folder', step: await lockFolder(settings.dataDir) })
  const backend = await startBackend(settings, root, log)
  undo.push({ name: 'the backend', step: backend.close })
  void backend.databaseLost.then(async () => {
    console.error('The database server has ended unexpectedly. Nothing that was saved is lost; start again.')
    await end(1)
  })
  Object.assign(process.env, {
    SUPABASE_URL: `http://127.0.0.1:${settings.port}`,
    SUPABASE_PUBLISHABLE_KEY: backend.keys.publishableKey,
    SUPABASE_SECRET_KEY: backend.keys.secretKey,
    SUPABASE_JWT_SECRET: backend.keys.jwtSecret,
    PALIMPSEST_EMBEDDED: '1',
  })
  const pages = await startPages({ root, dev: settings.dev, port: settings.port })
  undo.push({ name: 'the pages', step: pages.close })
  return {
    async request(incoming, outgoing, peer) {
      const path = pathOf(incoming)
      if (isBackendPath(path)) return answerBackend(backend, peer, incoming, outgoing)
      if (/^\/mail(\/|$)/.test(path) && !isLoopback(peer)) {
        const sentence = 'Caught mail can only be read on the machine that runs the workspace.'
        return sendResponse(refusal(403, 'not_permitted', sentence), outgoing)
      }
      return pages.handle(incoming, outgoing)
    },
    async upgrade(incoming, socket, head) {
      if (pathOf(incoming) === '/realtime/v1/websocket') {
        if (mayOpenSocket(backend.keys, incoming)) return backend.openSocket(incoming, socket, head)
        return turnAway(socket, '401 Unauthorized')
      }
      if (!pages.upgrade(incoming, socket, head)) turnAway(socket, '404 Not Found')
    },
  }
}

function addresses({ host, port }: Settings): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [`http://${isLoopback(host) ? 'localhost' : host}:${port}`]
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outside = own.filter((entry) => !entry.internal && entry.family === 'IPv4').map((entry) => entry.address)
  return ['localhost', ...outside].map((name) => `http://${name}:${port}`)
}

let ending: Promise<never> | null = null

/** Stops what was started, last first, and ends the process within 5 s. */
function end(code: number): Promise<never> {
  ending ??= (async () => {
    const patience = setTimeout(() => process.exit(code || 1), 4800)
    // The port goes first: whoever still writes is told so, instead of waiting for a database that is going away.
    const [port, ...rest] = undo
    for (const { name, step } of [...(port ? [port] : []), ...rest.reverse()]) {
      await step().catch((error: unknown) => console.error(`Closing ${name} failed: ${explain(error)}`))
    }
    clearTimeout(patience)
    process.exit(code)
  })()
  return ending
}

function endWithSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!ending) log('Stopping')
      void end(0)
    })
  }
  process.on('uncaughtException', (error) => {
    console.error(error)
    void end(1)
  })
  process.on('unhandledRejection', (reason) => console.error(reason))
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\n${explain(error.cause)}`
  return (process.env.DEBUG ? (error.stack ?? error.message) : error.message) + cause
}
