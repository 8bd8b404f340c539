import postgres from 'postgres'
import { type Clock, type Log } from './clock'
import { type Rooms } from './room'
import { type Usage } from './limits'

const notices = 'realtime_messages'
/** How far back a reconnect looks, in ms. A transaction open for longer across an outage is not picked up. */
const memory = 60_000

type Row = {
  id: string
  topic: string
  event: string
  private: boolean
  payload: string | null
  binary_payload: Buffer | null
}

export type DatabaseMessages = { close(): Promise<void> }

/**
 * Broadcasts what transactions put into realtime.messages, after they commit and in the order in which they commit.
 * The trigger names the row by NOTIFY; a lost connection is made again and what was committed meanwhile is read.
 */
export async function pickUpDatabaseMessages(part: {
  databaseUrl: string
  sql: postgres.Sql
  rooms: Rooms
  usage: Usage
  clock: Clock
  log: Log
}): Promise<DatabaseMessages> {
  const { sql, rooms, usage, clock, log } = part
  const [start] = await sql<{ now: Date }[]>`select now()`
  const startedAt = start?.now ?? new Date(clock.now())
  const delivered = new Map<string, number>()
  let waiting: string[] = []
  let reading: Promise<void> | null = null
  let closed = false
  let cancelRetry: () => void = () => {}

  function publish({ id, topic, event, private: isPrivate, payload, binary_payload: binary }: Row): void {
    if (delivered.has(id)) return
    delivered.set(id, clock.now())
    const bytes = binary ?? Buffer.from(payload ?? '')
    if (bytes.length > usage.limits.payloadBytes || usage.messages.triggered) {
      log(`realtime: UnableToBroadcastChanges: ${bytes.length} bytes on ${topic}`)
      return
    }
    usage.messages.add()
    const encoding = binary === null ? 'json' : 'binary'
    rooms.find(topic, isPrivate)?.publish({ kind: 'user', event, encoding, bytes, meta: { id } })
  }

  function forget(): void {
    const horizon = clock.now() - 2 * memory
    for (const [id, at] of delivered) {
      if (at >= horizon) break
      delivered.delete(id)
    }
  }

  async function readWaiting(): Promise<void> {
    while (waiting.length > 0 && !closed) {
      const ids = waiting
      waiting = []
      try {
        const rows = await sql<Row[]>`
          select id, topic, event, coalesce(private, false) as private, payload::text as payload, binary_payload
          from realtime.messages where id in ${sql(ids)} and event is not null`
        const byId = new Map(rows.map((row) => [row.id, row]))
        for (const id of ids) {
          const row = byId.get(id)
          if (row !== undefined) publish(row)
        }
        forget()
      } catch (error) {
        // The catch-up after the reconnect reads these rows again.
        log(`realtime: cannot read messages of the database: ${String(error)}`)
        return
      }
    }
  }

  function notified(id: string): void {
    waiting.push(id)
    reading ??= readWaiting().finally(() => (reading = null))
  }

  async function catchUp(): Promise<void> {
    const since = new Date(Math.max(startedAt.getTime(), clock.now() - memory))
    const rows = await sql<Row[]>`
      select id, topic, event, coalesce(private, false) as private, payload::text as payload, binary_payload
      from realtime.messages
      where inserted_at >= ${since} at time zone 'utc' and event is not null
        and (payload is not null or binary_payload is not null)
      order by inserted_at`
    rows.forEach(publish)
  }

  // postgres.js' own listen() gives up when the first attempt after a loss fails, so the connection is kept here.
  const options = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onnotify: (_channel: string, id: string) => notified(id),
    onclose: () => {
      if (closed) return
      log('realtime: lost the database; connecting again')
      retry(100)
    },
  }
  const listener = postgres(part.databaseUrl, options)

  function retry(ms: number): void {
    cancelRetry()
    cancelRetry = clock.after(ms, () => {
      listen().then(catchUp).catch((error: unknown) => {
        if (closed) return
        log(`realtime: still no database: ${String(error)}`)
        retry(Math.min(ms * 2, 2000))
      })
    })
  }

  async function listen(): Promise<void> {
    await listener.unsafe(`listen ${notices}`)
  }

  await listen()
  return {
    async close() {
      closed = true
      cancelRetry()
      await listener.end({ timeout: 1 })
      await reading
    },
  }
}
