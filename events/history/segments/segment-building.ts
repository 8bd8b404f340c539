import type { SupabaseClient } from "@supabase/supabase-js";
import type { Ruled } from "@/events/core/envelope";
import { pageRows, pages } from "@/events/core/pages";
import { Recording } from "@/events/history/timeline/recording";
import { fullSegment, SegmentBuilder } from "./segment";
import type { Segment } from "./segment";
import { segmentFormat, storedSegments, writeSegment } from "./segment-store";
import { readSegment } from "./segment-reader";
import { faultOf, supabaseStore } from "@/events/log/store";

/** The shortest tail, in events, that is packed. A shorter tail is read from the log. */
const shortestTail = 256;

type Last = { from_version: number; to_version: number; moments: number };

async function lastSegment(service: SupabaseClient, stream: string): Promise<Last | null> {
  const { data, error, status } = await service
    .from("segments")
    .select("from_version, to_version, moments")
    .eq("stream_id", stream)
    .eq("format", segmentFormat)
    .order("to_version", { ascending: false })
    .limit(1)
    .overrideTypes<Last[], { merge: false }>();
  if (error) throw faultOf(error, status);
  return data[0] ?? null;
}

async function newestVersion(service: SupabaseClient, stream: string): Promise<number> {
  const query = service
    .from("events")
    .select("version")
    .eq("stream_id", stream)
    .order("version", { ascending: false })
    .limit(1);
  const { data, error, status } = await query.overrideTypes<
    { version: number }[],
    { merge: false }
  >();
  if (error) throw faultOf(error, status);
  return data[0]?.version ?? 0;
}

/** The version up to which a history is packed, and the number of segments made for it. */
type BuiltSegments = { upTo: number; made: number };

/**
 * Builds segments from the events after a stream's last segment, with the service's client. If the
 * last segment is not full, it is rebuilt once the new events are a quarter of it. Throws
 * BrokenRecording for a log that only a Yjs fold can read. Such a log is never packed.
 */
export async function buildSegments(
  service: SupabaseClient,
  stream: string,
): Promise<BuiltSegments> {
  const store = supabaseStore(service);
  const last = await lastSegment(service, stream);
  const upTo = last?.to_version ?? 0;
  const isOpen = last !== null && last.moments < fullSegment;
  const needed = isOpen
    ? Math.max(shortestTail, (last.to_version - last.from_version) / 4)
    : shortestTail;
  const seen = await newestVersion(service, stream);
  if (seen - upTo < needed) return { upTo, made: 0 };
  const reused: Segment[] = [];
  for await (const segment of storedSegments(service, stream))
    if (!isOpen || segment.fromVersion < last.from_version) reused.push(segment);
  const recording = new Recording();
  for (const { bytes } of reused) readSegment(recording, bytes);
  recording.catchUp();
  const builder = new SegmentBuilder(recording);
  let made = 0;
  let head = "";
  let reached = reused.at(-1)?.toVersion ?? 0;
  const writeNext = async (segment: Segment | null) => {
    if (!segment) return;
    await writeSegment(service, stream, segment, head, seen);
    made += 1;
  };
  const from = reached;
  const readOn = (last: Ruled | null) => store.read(stream, last?.version ?? from, pageRows);
  for await (const rows of pages(readOn)) {
    for (const row of rows) {
      if (row.version > seen) break;
      head = row.hash;
      reached = row.version;
      await writeNext(builder.add(row));
    }
    if (reached >= seen) break;
  }
  await writeNext(builder.finish());
  return { upTo: reached, made };
}
