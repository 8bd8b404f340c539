import type { SupabaseClient } from "@supabase/supabase-js";
import type { Ruled } from "@/events/core/envelope";
import { pageRows, pages } from "@/events/core/pages";
import { Recording } from "@/events/history/timeline/recording";
import { fullSegment, SegmentBuilder, type Segment } from "./segment";
import { segmentFormat, storedSegments, writeSegment } from "./segment-store";
import { readSegment } from "./segment-reader";
import { faultOf, supabaseStore } from "@/events/log/store";

/** A tail shorter than this, in events, is read from the log. */
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

/** Up to which version a history is packed, and how many segments were made for it. */
type BuiltSegments = { upTo: number; made: number };

/**
 * Makes segments of what a stream's log holds beyond its last one, with the service's client; the
 * last, if it is not full, is made anew with what came since, once that is a quarter of it. Throws
 * BrokenRecording for a log that only a fold of Yjs can read; it is never packed.
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
