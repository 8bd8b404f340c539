import { contentOf } from "@/events/crdt/validation/validation";
import { eventsText, readBundle } from "./bundle";
import type { Bundle } from "./bundle";
import { checkAttachments } from "./bundle-attachments";
import { BundleError } from "./bundle-format";
import type { Ruled } from "@/events/core/envelope";
import { decodeEdits, PayloadError } from "@/events/crdt/payload/payload";
import type { WholeTimeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { HistoryCheck } from "./verification";
import { finalTexts, renderingOf } from "./final-text";
import { parsePlayerContent, playerParts } from "./player-file";
import { redactionOf } from "./redaction-event";
import { reportWords } from "./report-words";

/** A valid bundle with remarks. */
export type CheckedBundle = {
  bundle: Bundle;
  timeline: WholeTimeline;
  /** The versions whose content was redacted. */
  redacted: number[];
  /** The number of edits that every reader rejects. */
  rejected: number;
  /**
   * Whether Markdown and HTML were compared too. Another version of the product may render them
   * differently.
   */
  rendered: boolean;
  /** The player without its history. */
  player: string;
  /** The names of images and files that events attached and the bundle lacks. */
  absent: string[];
};

const mostEditBytes = 512 * 2 ** 20;
const mostEdits = 5_000_000;
const atOnce = 1_000;

async function checkChain(
  { rows, manifest, heads }: Bundle,
  onProgress: (done: number) => void,
): Promise<number[]> {
  const check = new HistoryCheck({ stream: manifest.document.id, redactionOf });
  for (let from = 0; from < rows.length; from += atOnce) {
    if (!(await check.add(rows.slice(from, from + atOnce)))) break;
    onProgress(check.version);
  }
  const report = check.finish();
  if (report.verdict !== "intact") throw new BundleError(reportWords(report, null, String).found);
  const last = rows.at(-1);
  if (!last || manifest.head.version !== last.version || manifest.head.hash !== last.hash) {
    throw new BundleError(
      "The manifest names another head than the events have: events were cut off or added.",
    );
  }
  for (const { version, hash } of heads) {
    if (rows[version - 1]?.hash !== hash)
      throw new BundleError(
        `A head that was seen at event ${version} is not in this ` +
          "history: it was rewritten or cut off after it was seen.",
      );
  }
  return report.redacted;
}

function checkPeople({ rows, people }: Bundle): void {
  const known = new Set(people.map(({ id }) => id));
  if (known.size !== people.length) throw new BundleError("people.json names somebody twice.");
  const acting = new Set(rows.map(({ actorId }) => actorId));
  if (known.size !== acting.size || [...acting].some((id) => !known.has(id)))
    throw new BundleError("people.json does not name those who appear in the events.");
}

/**
 * Checks the total size of the edits before any is unpacked, since they are packed in events as
 * files are in a zip.
 */
function refuseExcess(rows: readonly Ruled[]): void {
  let bytes = 0;
  let edits = 0;
  for (const row of rows) {
    const { payload } = contentOf(row);
    if (!payload) continue;
    try {
      for (const edit of decodeEdits(payload, 0)) {
        bytes += edit.update.length;
        edits += 1;
      }
    } catch (error) {
      // Every reader rejects an edit that cannot be decoded.
      if (!(error instanceof PayloadError)) throw error;
    }
    if (bytes > mostEditBytes || edits > mostEdits)
      throw new BundleError("The edits of this history are more than a reader takes.");
  }
}

function checkTexts({ manifest, texts, rows }: Bundle, timeline: WholeTimeline): boolean {
  const rendering = renderingOf(manifest.rendering);
  const made = finalTexts(timeline, rows, rendering ?? undefined);
  const differs = (file: string) =>
    new BundleError(`${file} is not the text that the events give.`);
  if (made.title !== manifest.document.title)
    throw new BundleError("The manifest names another title than the events give.");
  if (made.json !== texts.json) throw differs("text/document.json");
  if (rendering === null) return false;
  if (made.markdown !== texts.markdown) throw differs("text/document.md");
  if (made.html !== texts.html) throw differs("text/document.html");
  return true;
}

function checkPlayer({ player, rows, people, heads, manifest }: Bundle): string {
  const { template, content } = playerParts(player);
  const held = parsePlayerContent(
    content,
    manifest.files.find(({ path }) => path === "events.ndjson")?.bytes,
  );
  const same =
    eventsText(held.rows) === eventsText(rows) &&
    JSON.stringify([held.people, held.heads, held.exported]) ===
      JSON.stringify([people, heads, { at: manifest.exported.at, by: manifest.exported.by.name }]);
  if (!same) throw new BundleError("player.html does not hold the history of this bundle.");
  return template;
}

/**
 * Reads and fully checks a bundle: the file, the chain from its first event, heads, people, texts
 * and player. Throws BundleError with the first fault.
 */
export async function checkBundle(
  bytes: Uint8Array,
  onProgress: (done: number, events: number) => void,
): Promise<CheckedBundle> {
  const bundle = await readBundle(bytes);
  const redacted = await checkChain(bundle, (done) => onProgress(done, bundle.rows.length));
  checkPeople(bundle);
  refuseExcess(bundle.rows);
  const timeline = openTimeline(bundle.rows);
  const rendered = checkTexts(bundle, timeline);
  const player = checkPlayer(bundle);
  const absent = checkAttachments(bundle);
  const rejected = timeline.anomalies.length;
  return { bundle, timeline, redacted, rejected, rendered, player, absent };
}
