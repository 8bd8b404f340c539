import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { fakeServer, keys, settled, type FakeServer } from './fake-client'
import { readHandshake, refuseHandshake } from './handshake'
import { socketTransport, Turn } from './outbox'

describe('a handshake', () => {
  let server: FakeServer
  beforeEach(() => {
    server = fakeServer()
  })

  const request = (url: string, headers: Record<string, string> = {}): Pick<IncomingMessage, 'url' | 'headers'> => ({ url, headers })
  const path = (query: string) => `/realtime/v1/websocket?${query}`

  it('[RT-15] takes the key from the header before the query, and keeps the client’s own headers', () => {
    const headers = { 'x-api-key': keys.secretKey, 'x-own': 'yes', cookie: 'secret' }
    expect(readHandshake(server.hub, request(path(`apikey=${keys.publishableKey}&vsn=2.0.0`), headers))).toMatchObject({
      ok: true,
      client: { token: keys.secretKey, headers: { 'x-own': 'yes' }, serializer: { version: '2.0.0' } },
    })
  })

  it('[RT-15] speaks version 1.0.0 when none is named, and no unknown one', () => {
    const ask = (query: string) => readHandshake(server.hub, request(path(`apikey=${keys.publishableKey}${query}`)))
    expect(ask('')).toMatchObject({ client: { serializer: { version: '1.0.0' } } })
    expect(ask('&vsn=1.0.3')).toMatchObject({ client: { serializer: { version: '1.0.0' } } })
    expect(ask('&vsn=3.0.0')).toMatchObject({ ok: false, status: 403 })
    expect(ask('&vsn=2.1.0')).toMatchObject({ ok: false, status: 403 })
  })

  it.each([
    ['', 'API key is missing'],
    ['apikey=', 'API key is missing'],
    ['apikey=potato', 'The token provided is not a valid JWT'],
  ])('[RT-15] is refused with %j', (query, message) => {
    expect(readHandshake(server.hub, request(path(query)))).toEqual({ ok: false, status: 401, message })
  })

  it('[RT-15] is refused with an expired token', () => {
    const query = `apikey=${server.token({ exp: server.clock.seconds - 1 })}`
    expect(readHandshake(server.hub, request(path(query)))).toEqual({ ok: false, status: 401, message: 'Token has expired' })
  })

  it('[RT-16] is refused to a page of another origin', () => {
    const ours = (origin: string, host: string) => origin === `http://${host}`
    const ask = (origin: string) =>
      readHandshake(server.hub, request(path(`apikey=${keys.publishableKey}`), { origin, host: 'localhost:3000' }), ours)
    expect(ask('http://localhost:3000')).toMatchObject({ ok: true })
    expect(ask('http://evil.example')).toMatchObject({ ok: false, status: 403 })
  })

  it('[RT-55] is refused when the plan has no connection or no join left', () => {
    server = fakeServer('free')
    const ask = () => readHandshake(server.hub, request(path(`apikey=${keys.publishableKey}`)))
    server.hub.usage.limits.connections = 0
    expect(ask()).toEqual({ ok: false, status: 429, message: 'Too many connected users' })
    server.hub.usage.limits.connections = 1
    server.hub.usage.joins.add(1000)
    server.clock.advance(5000)
    expect(ask()).toEqual({ ok: false, status: 429, message: 'Too many joins per second' })
  })

  it('[RT-15] tells a refusal in plain HTTP after the back-off', async () => {
    const stream = new PassThrough()
    refuseHandshake(server.clock, 100, stream, 401, 'API key is missing')
    expect(stream.read()).toBeNull()
    server.clock.advance(100)
    const answer = String(stream.read())
    expect(answer).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/)
    expect(answer).toMatch(/\r\n\r\n\{"error":"API key is missing"\}$/)
  })
})

describe('the wire', () => {
  let http: Server
  let client: WebSocket
  afterEach(async () => {
    client.terminate()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })

  async function connected(mostBuffered: number) {
    const sockets = new WebSocketServer({ noServer: true })
    const arrivals = new EventEmitter()
    http = createServer()
    const log: string[] = []
    http.on('upgrade', (request, stream, head) => {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const writes: number[] = []
        const write = stream._writev?.bind(stream)
        stream._writev = (chunks, done) => {
          writes.push(chunks.length)
          write?.(chunks, done)
        }
        const transport = socketTransport(socket, stream, new Turn(), mostBuffered, (line) => log.push(line))
        arrivals.emit('connection', { socket, writes, transport })
      })
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const address = http.address()
    const arrival = once(arrivals, 'connection')
    client = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
    const [[server]] = await Promise.all([arrival, once(client, 'open')])
    return { server, log }
  }

  it('[RT-17] is written to once in a turn, and every frame arrives as its own', async () => {
    const { server } = await connected(1_000_000)
    const heard: string[] = []
    const done = new Promise<void>((resolve) => {
      client.on('message', (data) => {
        if (heard.push(String(data)) === 10) resolve()
      })
    })
    for (let count = 0; count < 10; count += 1) server.transport.send({ binary: false, bytes: Buffer.from(String(count)) })
    expect(server.writes).toEqual([])
    await done
    expect(heard).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(server.writes).toHaveLength(1)
  })

  it('[RT-18] cuts off a client that does not read, before memory grows without bound', async () => {
    const { server, log } = await connected(1_000_000)
    client.pause()
    const ended = once(server.socket, 'close')
    const bytes = Buffer.alloc(100_000)
    let sent = 0
    while (server.socket.readyState === WebSocket.OPEN && sent < 10_000) {
      server.transport.send({ binary: true, bytes })
      sent += 1
      if (sent % 10 === 0) await settled()
    }
    await ended
    expect(sent).toBeLessThan(10_000)
    expect(log).toHaveLength(1)
    expect(log[0]).toMatch(/cut off a client/)
  })
})
