import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export class BodyTooLarge extends Error {}

/** Reads a request's body, at most `most` bytes; throws BodyTooLarge as soon as more is announced or arrives. */
export async function readBody(incoming: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw new BodyTooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    const bytes: Buffer = Buffer.from(chunk)
    size += bytes.byteLength
    if (size > most) throw new BodyTooLarge()
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Makes a web Request of an incoming message whose body has been read. */
export function webRequest(incoming: IncomingMessage, url: URL, body: Buffer): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(':') || hopByHop.has(name)) continue
    for (const entry of Array.isArray(value) ? value : [value ?? '']) headers.append(name, entry)
  }
  const method = incoming.method ?? 'GET'
  const bodyless = method === 'GET' || method === 'HEAD'
  return new Request(url, { method, headers, ...(bodyless || body.byteLength === 0 ? {} : { body: new Uint8Array(body) }) })
}

/** Sends a web Response, streaming its body; a receiver that goes away ends the stream quietly. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie' && !hopByHop.has(name)) outgoing.setHeader(name, value)
  })
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  if (!response.body) {
    outgoing.end()
    return
  }
  try {
    await pipeline(Readable.from(chunksOf(response.body)), outgoing)
  } catch (error) {
    if (!outgoing.destroyed) throw error
  }
}

/** Lite streams files as ArrayBuffers, which Node's own adapter refuses. */
async function* chunksOf(body: ReadableStream<Uint8Array | ArrayBuffer>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'proxy-connection'])
