import { deflateSync, Inflate, inflateSync } from "fflate";
import { BytesError, ByteWriter } from "@/events/core/bytes/bytes";
import { payloadDictionary } from "./payload-dictionary";
import { declaredLoad, form, isClose, maxInflated, steepest } from "./payload-load";

const inflateSlice = 2048;
const unfolds = "Payload expands beyond its declared size or 8 MiB";

function withHeader(
  kind: number,
  body: Uint8Array,
  declared: Uint8Array = new Uint8Array(),
): Uint8Array {
  const payload = new Uint8Array(body.length + declared.length + 3);
  payload[2] = kind;
  payload.set(declared, 3);
  payload.set(body, declared.length + 3);
  return payload;
}

function plain(body: Uint8Array, pieces: number): Uint8Array {
  if (pieces === 0) return withHeader(form.cuts, body);
  const first = body[0];
  if (first === undefined || first >= form.merged) return withHeader(form.plain, body);
  return withHeader(form.merged | first, body.subarray(1));
}

/** Deflates a body into the shortest form that still bounds its load. */
function deflated(body: Uint8Array, pieces: number): Uint8Array {
  const squeezed = deflateSync(body, { level: 9, dictionary: payloadDictionary });
  const close = withHeader(form.close, squeezed);
  return isClose(close.length, body.length, pieces)
    ? close
    : withHeader(form.declared, squeezed, declaredLoad(body.length, pieces));
}

/** Returns the body as a payload in its shortest form. */
export function packed(body: Uint8Array, pieces: number): Uint8Array {
  const [squeezed, loose] = [deflated(body, pieces), plain(body, pieces)];
  return squeezed.length < loose.length ? squeezed : loose;
}

function inflateStream(bytes: Uint8Array, most: number): Uint8Array {
  const writer = new ByteWriter();
  const stream = new Inflate({ dictionary: payloadDictionary }, (chunk) => {
    if (writer.length + chunk.length > most) throw new BytesError(unfolds);
    writer.write(chunk);
  });
  for (let at = 0; at < bytes.length; at += inflateSlice) {
    stream.push(bytes.subarray(at, at + inflateSlice), at + inflateSlice >= bytes.length);
  }
  return writer.result();
}

function inflate(bytes: Uint8Array, most: number): Uint8Array {
  try {
    // Deflate expands at most 1032-fold, so a short payload needs no check while streaming.
    if (bytes.length * steepest > maxInflated) return inflateStream(bytes, most);
    // fflate discards output beyond this buffer, which has room for one byte too many.
    const out = most < bytes.length * steepest ? { out: new Uint8Array(most + 1) } : {};
    const body = inflateSync(bytes, { dictionary: payloadDictionary, ...out });
    if (body.length > most) throw new BytesError(unfolds);
    return body;
  } catch (error) {
    if (error instanceof BytesError) throw error;
    throw new BytesError("Payload is not valid DEFLATE data");
  }
}

/** Returns the body of a payload, which begins at `start` and has at most `bytes` bytes. */
export function unpacked(payload: Uint8Array, bytes: number, start: number): Uint8Array {
  const kind = payload[2] ?? 0;
  if (kind === form.deflated || kind === form.close || kind === form.declared)
    return inflate(payload.subarray(start), bytes);
  if (kind === form.plain || kind === form.cuts) return payload.subarray(start);
  if (kind < form.merged) throw new BytesError("Unknown payload format");
  const body = payload.slice(2);
  body[0] = kind & 0x7f;
  return body;
}
