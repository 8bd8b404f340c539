import { connect, createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFrontDoor, type FrontDoor } from './front-door'
import { readSettings } from './settings'

let door: FrontDoor
let port: number
beforeAll(async () => {
  port = await new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      // A server that listens on a port has an address with one.
      const { port: free } = probe.address() as AddressInfo
      probe.close(() => found(free))
    })
  })
  const settings = readSettings({ PORT: String(port), HOST: '127.0.0.1' }, [], '.')
  door = await openFrontDoor(settings, () => undefined, { headers: 150, request: 300, check: 50 })
})
afterAll(() => door.close())

/** Sends the pieces, one every 20 ms, the last one again and again; answers what came back by the time the door hung up. */
function callSlowly(...pieces: string[]): Promise<string> {
  return new Promise((hungUp) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    let sent = 0
    const trickle = setInterval(() => {
      const piece = pieces[Math.min(sent++, pieces.length - 1)]
      if (piece !== undefined && socket.writable) socket.write(piece)
    }, 20)
    socket.on('data', (bytes) => (answer += bytes.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(trickle)
      hungUp(answer)
    })
  })
}

describe('[DOOR-6] a caller who takes too long', () => {
  test('saying nothing is hung up on', async () => {
    expect(await callSlowly()).toMatch(/^(HTTP\/1\.1 408|$)/)
  })

  test('with the headers of a request is hung up on', async () => {
    expect(await callSlowly('GET / HTTP/1.1\r\nHost: localhost\r\n', 'X-Slow: 1\r\n')).toContain('408')
  })

  test('with the body of a request is hung up on', async () => {
    const answer = await callSlowly('POST /auth/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n', 'x')
    expect(answer).toMatch(/^HTTP\/1\.1 (408|503)/)
  })
})
