import { yXmlFragmentToProsemirrorJSON } from "@tiptap/y-tiptap";
import { createHash } from "node:crypto";
import { loadavg } from "node:os";
import * as Y from "yjs";
import { accept, noBindings } from "@/events/crdt/validation/validation";
import { containersOf } from "@/events/crdt/validation/containers";
import { documentAt } from "@/events/history/timeline/document-text";
import type { DocumentJson } from "@/events/history/timeline/full-history-text";
import { Recording } from "@/events/history/timeline/recording";
import { readSegment } from "@/events/history/segments/segment-reader";
import type { Timeline } from "@/events/history/timeline/timeline";
import { timelineOf } from "@/events/history/timeline/timeline-builder";
import { seeded } from "@/tests/support/recordings/generated-session";
import { percentile } from "../figures/percentile";
import { segmentedSession } from "../sessions/segmented-session";
import { benchSession } from "../sessions/sessions";
import type { SessionName } from "../sessions/sessions";

const names = (process.env.SESSIONS?.split(",") ?? [
  "seph-blog1",
  "session-100k",
  "session-1m",
]) as SessionName[];
const picks = Number(process.env.PICKS ?? 1000);
const peers = 30;
const checkpointEvery = 1000;

function normal(node: DocumentJson): DocumentJson {
  const content: DocumentJson[] = [];
  for (const child of (node.content ?? []).flat().map(normal)) {
    const last = content.at(-1);
    const same =
      last?.text !== undefined &&
      child.text !== undefined &&
      JSON.stringify(last.marks) === JSON.stringify(child.marks);
    if (last && same) last.text = `${last.text}${child.text}`;
    else content.push({ ...child });
  }
  const { type, text, attrs, marks } = node;
  const sorted =
    attrs && Object.fromEntries(Object.entries(attrs).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    type,
    ...(text !== undefined && { text }),
    ...(sorted && { attrs: sorted }),
    ...(marks && { marks: [...marks].sort((a, b) => (a.type < b.type ? -1 : 1)) }),
    ...(content.length > 0 && { content }),
  };
}

function hashOf(json: DocumentJson): string {
  return createHash("sha256")
    .update(JSON.stringify(normal(json)))
    .digest("hex");
}

function opened(segments: Uint8Array[]): { timeline: Timeline; ms: number } {
  const began = performance.now();
  const recording = new Recording();
  for (const bytes of segments) readSegment(recording, bytes);
  const timeline = timelineOf(recording.finish());
  return { timeline, ms: performance.now() - began };
}

/**
 * Compares every revision with the revision that Yjs computes update by update. Also measures Yjs's
 * own ways back at some revisions.
 */
async function benchState(name: SessionName): Promise<void> {
  const session = benchSession(name);
  const segmented = await segmentedSession(name);
  if (!session || !segmented)
    return console.log(`${name}: the recording is not here, not measured`);
  const { timeline } = opened(segmented.segments);
  const random = seeded(99);
  const chosen = new Set(
    Array.from({ length: picks }, () => Math.floor(random() * timeline.length)),
  );
  const compared = [...chosen].sort((a, b) => a - b);
  const snapshots = new Map<number, Y.Snapshot>();
  const doc = new Y.Doc({ gc: false });
  doc.on(
    "afterTransaction",
    (transaction: Y.Transaction) => (transaction._needFormattingCleanup = false),
  );
  const bindings = noBindings(containersOf(() => doc));
  const ours: number[] = [];
  let [revision, equal, checkpoints, counted] = [-1, 0, 0, 0];
  const arrive = () => {
    revision += 1;
    if (revision % (checkpointEvery * 10) === 0) {
      checkpoints += Y.encodeStateAsUpdateV2(doc).length;
      counted += 1;
    }
    if (!chosen.has(revision)) return;
    const began = performance.now();
    const mine = documentAt(timeline.blocks, revision);
    ours.push(performance.now() - began);
    const theirs: Record<string, unknown> = yXmlFragmentToProsemirrorJSON(
      doc.getXmlFragment("default"),
    );
    if (hashOf(mine) === hashOf({ type: "doc", ...theirs })) equal += 1;
    if (compared.indexOf(revision) % Math.ceil(picks / peers) === 0)
      snapshots.set(revision, Y.snapshot(doc));
  };
  for (const row of session.rows) {
    const { edits } = accept(row, bindings);
    if (edits.length === 0) arrive();
    for (const { update } of edits) {
      Y.applyUpdate(doc, update);
      arrive();
    }
  }
  const [theirs, beside]: [number[], number[]] = [[], []];
  for (const [at, snapshot] of snapshots) {
    let began = performance.now();
    Y.createDocFromSnapshot(doc, snapshot);
    theirs.push(performance.now() - began);
    began = performance.now();
    documentAt(timeline.blocks, at);
    beside.push(performance.now() - began);
  }
  const ratios = theirs.map((ms, index) => (beside[index] ?? NaN) / ms);
  const perCheckpoint = (checkpoints / counted) * (timeline.length / checkpointEvery);
  const percentiles = (values: number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(2)}, p95 ${percentile(values, 0.95).toFixed(2)}`;
  console.log(
    `${name}: ${equal} of ${ours.length} random revisions equal the ` +
      `canonical Yjs replay; load ${(loadavg()[0] ?? NaN).toFixed(1)}`,
  );
  console.log(
    "  the whole document at a revision, ms: " +
      `${percentiles(beside)}; Y.createDocFromSnapshot ` +
      `${percentiles(theirs)}; ratio, median ` +
      `${percentile(ratios, 0.5).toFixed(3)}`,
  );
  console.log(
    `  segments ${(segmented.bytes / 1e6).toFixed(2)} MB; a Yjs ` +
      `checkpoint every ${checkpointEvery} edits about ` +
      `${(perCheckpoint / 1e6).toFixed(0)} MB: ` +
      `1/${(perCheckpoint / segmented.bytes).toFixed(0)}`,
  );
  if (equal !== ours.length) process.exitCode = 1;
}

for (const name of names) await benchState(name);
