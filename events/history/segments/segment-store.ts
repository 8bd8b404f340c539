import type { SupabaseClient } from "@supabase/supabase-js";
import { fromBase64, toBase64 } from "@/events/core/bytes/base64";
import type { Segment } from "./segment";
import { faultOf, StoreFault } from "@/events/log/store";

/**
 * The version of the segment format and of the validation rule. Segments of another version are
 * skipped and rebuilt.
 */
export const segmentFormat = 4;

type Caller = Pick<SupabaseClient, "rpc">;

const pageSegments = 8;

function parsed(row: unknown): Segment {
  if (
    typeof row === "object" &&
    row !== null &&
    "from" in row &&
    "to" in row &&
    "moments" in row &&
    "bytes" in row
  ) {
    const { from, to, moments, bytes } = row;
    if (
      typeof from === "number" &&
      typeof to === "number" &&
      typeof moments === "number" &&
      typeof bytes === "string"
    ) {
      return { fromVersion: from, toVersion: to, revisionCount: moments, bytes: fromBase64(bytes) };
    }
  }
  throw new StoreFault("invalid segment in the response", 200);
}

/**
 * Yields a stream's segments in order, under the client's identity, a page at a time. Ends at the
 * first gap.
 */
export async function* storedSegments(client: Caller, stream: string): AsyncGenerator<Segment> {
  for (let after = 0; ;) {
    const { data, error, status } = await client.rpc("read_segments", {
      stream,
      after_version: after,
      max_count: pageSegments,
      of_format: segmentFormat,
    });
    if (error) throw faultOf(error, status);
    const rows: unknown[] = Array.isArray(data) ? data : [];
    for (const row of rows) {
      const segment = parsed(row);
      if (segment.fromVersion !== after + 1) return;
      after = segment.toVersion;
      yield segment;
    }
    if (rows.length < pageSegments) return;
  }
}

/**
 * Stores a segment in place of all segments from its first version on. The client must be the
 * service's. `head` is the hash of its last event. `seen` is the log's newest version when reading
 * for the segment began.
 */
export async function writeSegment(
  client: Caller,
  stream: string,
  { fromVersion, toVersion, revisionCount: moments, bytes }: Segment,
  head: string,
  seen: number,
): Promise<void> {
  const { error, status } = await client.rpc("write_segment", {
    stream,
    from_version: fromVersion,
    to_version: toVersion,
    seen,
    format: segmentFormat,
    moments,
    head,
    bytes: toBase64(bytes),
  });
  if (error) throw faultOf(error, status);
}
