import { asRef, type Announcement, broadcastText, type Frame, FrameError, type Inbound, parseJson, type Serializer } from './frame'

const push = 0
const userBroadcastPush = 3
const userBroadcast = 4
const longestHeaderField = 255

function text(topic: string, event: string, payload: string, joinRef: string, ref: string): Frame {
  const json = `[${joinRef},${ref},${JSON.stringify(topic)},${JSON.stringify(event)},${payload}]`
  return { binary: false, bytes: Buffer.from(json) }
}

function decodeText(data: Buffer): Inbound {
  const message = parseJson(data.toString())
  if (!Array.isArray(message) || message.length < 5) throw new FrameError('expected an array of five')
  const [joinRef, ref, topic, event, payload] = message
  if (typeof topic !== 'string' || typeof event !== 'string') throw new FrameError('topic and event must be text')
  return { joinRef: asRef(joinRef), ref: asRef(ref), topic, event, body: { kind: 'json', value: payload ?? null } }
}

/** Cuts length-prefixed fields off a binary frame; a frame shorter than its lengths is refused. */
function fields(data: Buffer, start: number, lengths: number[]): { texts: string[]; rest: Buffer } {
  let at = start
  const texts = lengths.map((length) => {
    if (at + length > data.length) throw new FrameError('binary frame is cut short')
    return data.toString('utf8', at, (at += length))
  })
  return { texts, rest: data.subarray(at) }
}

function decodeBinary(data: Buffer): Inbound {
  const kind = data[0]
  if (kind === push) {
    if (data.length < 5) throw new FrameError('binary frame is cut short')
    const { texts } = fields(data, 5, [...data.subarray(1, 5)])
    const [joinRef = '', ref = '', topic = '', event = ''] = texts
    return { joinRef: joinRef || null, ref: ref || null, topic, event, body: { kind: 'json', value: null } }
  }
  if (kind !== userBroadcastPush) throw new FrameError(`unknown kind of binary frame ${String(kind)}`)
  if (data.length < 7) throw new FrameError('binary frame is cut short')
  const { texts, rest } = fields(data, 7, [...data.subarray(1, 6)])
  const [joinRef = '', ref = '', topic = '', event = '', metadata = ''] = texts
  if (metadata !== '') parseJson(metadata)
  const encoding = data[6] === 0 ? 'binary' : 'json'
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    body: { kind: 'user', event, encoding, bytes: rest },
  }
}

function encodeUserBroadcast(topicText: string, announcement: Announcement & { kind: 'user' }): Frame | null {
  const topic = Buffer.from(topicText)
  const event = Buffer.from(announcement.event)
  const meta = Buffer.from(announcement.meta === null ? '' : JSON.stringify(announcement.meta))
  if (Math.max(topic.length, event.length, meta.length) > longestHeaderField) return null
  const head = [userBroadcast, topic.length, event.length, meta.length, announcement.encoding === 'json' ? 1 : 0]
  return { binary: true, bytes: Buffer.concat([Buffer.from(head), topic, event, meta, announcement.bytes]) }
}

/** Protocol version 2.0.0: text frames that hold one JSON array, and binary frames for broadcasts (kinds 3 and 4). */
export const serializerV2: Serializer = {
  version: '2.0.0',

  decode: (data, binary) => (binary ? decodeBinary(data) : decodeText(data)),

  encode({ joinRef, ref, topic, event, payload }) {
    return text(topic, event, JSON.stringify(payload), JSON.stringify(joinRef), JSON.stringify(ref))
  },

  announce(topic, announcement) {
    if (announcement.kind === 'json') return text(topic, announcement.event, announcement.text, 'null', 'null')
    const frame = encodeUserBroadcast(topic, announcement)
    if (frame !== null) return frame
    // A header field of more than 255 bytes has no binary form, but JSON still has its text form.
    const payload = broadcastText(announcement)
    return payload === null ? null : text(topic, 'broadcast', payload, 'null', 'null')
  },
}
