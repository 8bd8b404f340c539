import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SegmentBuilder } from "@/events/history/segments/segment";
import { segmentFormat } from "@/events/history/segments/segment-store";
import { unframed, framed } from "@/events/history/segments/segment-stream";
import { benchSession } from "./sessions";
import type { SessionName } from "./sessions";

export type SegmentedSession = {
  name: SessionName;
  edits: number;
  segments: Uint8Array[];
  bytes: number;
};

async function readSegments(file: string): Promise<Uint8Array[]> {
  const segments: Uint8Array[] = [];
  for await (const segment of unframed(new Blob([readFileSync(file)]).stream()))
    segments.push(segment);
  return segments;
}

/** Returns a long session as segments, or null if its recording is not available. */
export async function segmentedSession(name: SessionName): Promise<SegmentedSession | null> {
  const session = benchSession(name);
  if (!session) return null;
  const file = join(tmpdir(), "palimpsest-bench", `${name}.segments.${segmentFormat}`);
  if (!existsSync(file)) {
    const builder = new SegmentBuilder();
    const segments = session.rows.flatMap((row) => builder.add(row) ?? []);
    const last = builder.finish();
    writeFileSync(
      file,
      Buffer.concat([...segments, ...(last ? [last] : [])].map(({ bytes }) => framed(bytes))),
    );
  }
  const segments = await readSegments(file);
  return {
    name,
    edits: session.edits,
    segments,
    bytes: segments.reduce((sum, { length }) => sum + length, 0),
  };
}
