import { inAppends } from "@/events/log/append-size";
import type { ImportedPassage } from "./copy-in-events";
import { mergeOf } from "./fork";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { PreviewBuilder } from "./restore-preview";
import type { Acting } from "./restore";
import { undoneMerges } from "./undone-merge";
import type { Undone } from "./undone-merge";

/**
 * The content to merge from one document into another, request by request, with the resulting
 * history.
 */
export type Merging = {
  requests: ImportedPassage[][];
  body: { document: string; version: number };
  /**
   * Events that reverted earlier merges, to be reverted themselves. The content that they removed
   * is still present as deleted, so no merge brings it back.
   */
  again: readonly Undone[];
  /** The resulting history, and the revision in it that is the present now. */
  timeline: Timeline;
  now: number;
};

/**
 * Prepares a merge from the rows of two documents with the same beginning. Returns null if `from`
 * has no content that `into` lacks. The timeline is that of `into`.
 */
export function mergingOf(
  from: { id: string; rows: readonly TimelineRow[] },
  into: readonly TimelineRow[],
  acting: Acting,
): Merging | null {
  const pieces = mergeOf(from.rows, into, from.id);
  const [first, last] = [into[0], into.at(-1)];
  if (!first || !last) return null;
  const body = { document: from.id, version: from.rows.length };
  const previewBuilder = new PreviewBuilder();
  previewBuilder.take(into);
  const now = previewBuilder.revisionCount - 1;
  let version = into.length;
  const record = (row: Partial<TimelineRow>) => {
    version += 1;
    previewBuilder.take([
      {
        ...first,
        ...row,
        version,
        actorId: acting.userId,
        clientTime: last.recordedAt,
        recordedAt: last.recordedAt,
      },
    ]);
  };
  for (const piece of pieces) record({ ...piece, body, type: "document.merged" });
  const again = undoneMerges(into, from.id).filter(({ version: at, actorId }) => {
    const preview = previewBuilder.preview({ kind: "events", from: at, to: at, actorId }, acting);
    if (preview)
      record({
        type: preview.type,
        body: preview.body,
        update: preview.update,
        clientIds: preview.clientIds,
      });
    return preview !== null;
  });
  if (pieces.length === 0 && again.length === 0) return null;
  return { requests: inAppends(pieces), body, again, timeline: previewBuilder.timeline(), now };
}
