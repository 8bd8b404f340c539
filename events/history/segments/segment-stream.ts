import { SegmentError } from "./segment-columns";

const header = 4;
const largest = 8 * 2 ** 20;

/** Returns a segment's wire format: its length in four bytes, then its bytes. */
export function framed(bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(header + bytes.length);
  new DataView(frame.buffer).setUint32(0, bytes.length);
  frame.set(bytes, header);
  return frame;
}

/**
 * Yields the segments in a byte stream, each as soon as it is complete. Throws SegmentError if the
 * stream ends within a segment.
 */
export async function* unframed(chunks: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = chunks.getReader();
  let rest = new Uint8Array();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) {
        const joined = new Uint8Array(rest.length + value.length);
        joined.set(rest);
        joined.set(value, rest.length);
        rest = joined;
      }
      while (rest.length >= header) {
        const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0);
        if (length > largest) throw new SegmentError("Segment is too large");
        if (rest.length < header + length) break;
        yield rest.slice(header, header + length);
        rest = rest.slice(header + length);
      }
      if (!done) continue;
      if (rest.length > 0) throw new SegmentError("Segment stream is truncated");
      return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads a document's segments from the page's own server (`GET /d/<id>/segments`). */
export function segmentsOver(
  fetching: typeof fetch,
): (stream: string, signal: AbortSignal) => AsyncGenerator<Uint8Array> {
  return async function* (stream, signal) {
    const response = await fetching(`/d/${stream}/segments`, { signal });
    if (response.ok && response.body) yield* unframed(response.body);
  };
}
