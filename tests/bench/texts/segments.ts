import { loadavg } from "node:os";
import { Recording } from "@/events/history/timeline/recording";
import { unpackColumns } from "@/events/history/segments/segment-columns";
import { readSegment } from "@/events/history/segments/segment-reader";
import { timelineOf } from "@/events/history/timeline/timeline-builder";
import { deflateSync } from "fflate";
import { percentile } from "../figures/percentile";
import { segmentedSession } from "../sessions/segmented-session";
import { benchSession } from "../sessions/sessions";
import type { SessionName } from "../sessions/sessions";

const names = ["seph-blog1", "session-100k", "session-1m"] satisfies SessionName[];
const columns = ["facts", "events", "times", "records", "places", "letters", "other edits"];
const rounds = 5;

function bytesIn(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + bytesIn(each), 0)
    : 0;
}

/**
 * Prints the size of an edit in the log and in segments, by column. Also prints how long opening
 * from segments takes without a page.
 */
async function benchSegments(name: SessionName): Promise<void> {
  const [session, segmented] = [benchSession(name), await segmentedSession(name)];
  if (!session || !segmented)
    return console.log(`${name}: the recording is not here, not measured`);
  const { edits, segments, bytes } = segmented;
  const payload = session.rows.reduce((sum, { update }) => sum + (update?.length ?? 0), 0);
  const shares = columns.map((column, index) => {
    const packed = segments.reduce((sum, segment) => {
      const bytesOfColumn = unpackColumns(segment)[index] ?? new Uint8Array();
      return sum + deflateSync(bytesOfColumn, { level: 9 }).length;
    }, 0);
    return `${column} ${(packed / edits).toFixed(2)}`;
  });
  const [wall, busy]: [number[], number[]] = [[], []];
  let memory = 0;
  for (let round = 0; round < rounds; round += 1) {
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const recording = new Recording();
    for (const segment of segments) readSegment(recording, segment);
    const data = recording.finish();
    timelineOf(data);
    const used = process.cpuUsage(cpu);
    wall.push(performance.now() - began);
    busy.push((used.user + used.system) / 1000);
    memory = bytesIn([data.historyText, data.revisions]);
  }
  console.log(
    `${name}: ${edits} edits in ${session.rows.length} events; load ${(loadavg()[0] ?? NaN).toFixed(1)}`,
  );
  console.log(
    `  payload ${(payload / edits).toFixed(2)} B/edit; ${segments.length} ` +
      `segments ${(bytes / edits).toFixed(2)} B/edit: ${shares.join(", ")}`,
  );
  console.log(
    "  opening without a page, ms: median " +
      `${percentile(wall, 0.5).toFixed(0)} (processor time ` +
      `${percentile(busy, 0.5).toFixed(0)}); in memory ` +
      `${(memory / edits).toFixed(1)} B/edit`,
  );
}

for (const name of names) await benchSegments(name);
