import { deflateSync, inflateSync } from "fflate";
import { ByteReader, BytesError, ByteWriter } from "@/events/core/bytes/bytes";

/** Thrown for bytes that our writer did not make, or that unpack to more than the limits. */
export class SegmentError extends Error {
  override readonly name = "SegmentError";
}

const mark = 0x53;
const format = 1;
const columns = 7;
const maxColumn = 16 * 2 ** 20;
// The highest ratio that deflate can reach.
const maxRatio = 1032;

/**
 * Packs a segment's columns. Each column is deflated separately, because similar data compresses
 * better.
 */
export function packColumns(parts: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(mark);
  writer.byte(format);
  for (const part of parts) {
    writer.varUint(part.length);
    writer.block(deflateSync(part, { level: 9 }));
  }
  return writer.result();
}

function unpackColumn(reader: ByteReader): Uint8Array {
  const length = reader.varUint();
  const packed = reader.block();
  if (length > maxColumn || length > packed.length * maxRatio)
    throw new SegmentError("Segment expands beyond its size limit");
  const column = inflateSync(packed, { out: new Uint8Array(length) });
  if (column.length !== length) throw new SegmentError("Segment column is truncated");
  return column;
}

/** Unpacks the result of `packColumns`. Throws SegmentError on any other bytes. */
export function unpackColumns(bytes: Uint8Array): Uint8Array[] {
  return guarded(() => {
    const reader = new ByteReader(bytes);
    if (reader.byte() !== mark || reader.byte() !== format)
      throw new SegmentError("Unknown segment format");
    const unpacked = Array.from({ length: columns }, () => unpackColumn(reader));
    if (!reader.done) throw new SegmentError("Unexpected data after the segment");
    return unpacked;
  });
}

/** Runs a segment reader. Rethrows any fault in the bytes as a SegmentError. */
export function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SegmentError) throw error;
    if (error instanceof BytesError) throw new SegmentError(error.message);
    // fflate throws plain errors with a code.
    if (error instanceof Error && "code" in error)
      throw new SegmentError("Segment is not valid DEFLATE data");
    throw error;
  }
}
