import { longestRevertQuote } from "@/events/core/text/text-lengths";
import { bodyOf } from "@/events/core/recorded-body";
import * as Y from "yjs";
import { fromBase64 } from "@/events/core/bytes/base64";
import { firstCodePoints } from "@/events/core/text/code-points";
import { movesOf } from "@/events/analysis/lineage/moves";
import { never } from "@/events/crdt/updates/lifespans";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { Change } from "@/events/analysis/comparison/comparison";
import type { TypedEvent } from "@/events/core/event-types";
import { unitsWithin } from "@/events/analysis/comparison/history-text-units";
import { isImportedAuthorKey, mapImported } from "@/events/history/timeline/imported-history";
import { passageIn } from "@/events/analysis/passage";
import type { PassageRange } from "@/events/analysis/passage";
import type { RecordedDocument } from "@/events/history/recorded-document";
import { passageAt, returningUnits } from "@/events/analysis/returning-passage";
import { asAt, passageAsAt, without } from "./selective/keeping";
import type { Keeping } from "./selective/keeping";
import { withoutWriting } from "./without-author";
import { withoutEvents } from "./selective/without-events";
import type { Mark, Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { roleOf } from "@/events/analysis/comparison/node-roles";

/**
 * The content that a person asks to restore: a whole revision, a change of a comparison or selected
 * words as they were, the text without one person's changes, or the text without some events.
 */
export type RestoreRequest =
  | { kind: "revision"; timeline: Timeline; index: number }
  | { kind: "passage"; timeline: Timeline; index: number; change: Change }
  /** Words as they stood at a revision, in place of the words that they became. */
  | { kind: "words"; timeline: Timeline; index: number; range: PassageRange }
  /** The author's changes after `from`, up to and including `to`, are reverted. `from` is kept. */
  | { kind: "author"; timeline: Timeline; author: string; from: number; to: number }
  /** One person's events between two versions that were recorded together. */
  | { kind: "events"; from: number; to: number; actorId: string };

/**
 * An event that is ready to be appended to the log at version `base`, with the resulting history.
 */
export type RestorePreview = TypedEvent<"document.reverted" | "document.reworked"> & {
  base: number;
  update: Uint8Array;
  clientIds: number[];
  /** The resulting history, and the revision in it that is the present now. */
  timeline: Timeline;
  now: number;
};

function isTick(id: Y.ID | null): id is Y.ID {
  return id !== null;
}

/** Returns the positions to which comments point, so that restored words return around them. */
export function anchorsOf(marks: readonly Mark[]): Y.ID[] {
  return marks.flatMap((mark) => {
    const { start, end } = bodyOf(mark, "thread.opened") ?? {};
    return [start, end].flatMap((place) => {
      if (place === undefined) return [];
      try {
        return [Y.decodeRelativePosition(fromBase64(place)).item].filter(isTick);
      } catch {
        // A client may have written any bytes there. An invalid position is ignored.
        return [];
      }
    });
  });
}

/**
 * Returns the units that stand after a restore. `newest` opens the current history for requests
 * that need it.
 */
export function keepingOf(
  restoreRequest: RestoreRequest,
  record: RecordedDocument,
  newest: () => Timeline,
): Keeping {
  if (restoreRequest.kind === "revision") return { keepPredicate: asAt(restoreRequest.index) };
  if (restoreRequest.kind === "passage") {
    const { timeline, index, change } = restoreRequest;
    const inChange = unitsWithin(
      record,
      timeline.blocks.map(({ key }) => key),
      timeline.length - 1,
      change.units,
    );
    return { keepPredicate: passageAsAt(index, inChange) };
  }
  const now = newest();
  if (restoreRequest.kind === "events") {
    const undone = (revision: number) => {
      const { version, actorId } = now.revision(revision);
      // Events that other people recorded in between stay.
      return (
        version >= restoreRequest.from &&
        version <= restoreRequest.to &&
        actorId === restoreRequest.actorId
      );
    };
    return restoreRequest.to >= now.version
      ? { keepPredicate: without(undone) }
      : withoutEvents(now, record, undone);
  }
  if (restoreRequest.kind === "author") {
    const { author, from, to } = restoreRequest;
    // All revisions of one restore are reverted together, as the recorded event requires.
    const { returnAt } = movesOf(now);
    const since = Math.min(from, (returnAt(from + 1)?.first ?? never) - 1);
    const until = Math.max(to, returnAt(to)?.last ?? to);
    // A single event is reverted as its undo would revert it.
    const isSingle = to === from + 1 || now.revision(from + 1).version === now.revision(to).version;
    const contentOrigin = contentOriginOf(now);
    const isTheirs = (revision: number) =>
      revision > since &&
      revision <= until &&
      now.revision(revision).actorId === author &&
      // A fork, merge or import moves words and writes none.
      (isSingle || contentOrigin.copyInAt(revision) === null);
    return withoutWriting(now, record, isTheirs, isSingle ? "goes" : "stays");
  }
  const range = passageIn(now, restoreRequest.timeline, restoreRequest.range);
  const units = range ? returningUnits(now, restoreRequest.index, range, roleOf) : [];
  const inPassage = unitsWithin(
    record,
    now.blocks.map(({ key }) => key),
    now.length - 1,
    units,
  );
  return { keepPredicate: passageAsAt(restoreRequest.index, inPassage) };
}

/**
 * Whether a request can be previewed only from the log itself. Segments do not hold the account
 * that recorded the events of an imported file's author.
 */
export function needsWholeLog(restoreRequest: RestoreRequest): boolean {
  return restoreRequest.kind === "author" && isImportedAuthorKey(restoreRequest.author);
}

/**
 * Returns the account that recorded an author's events. For a name in an imported file, this is the
 * person who imported it.
 */
function accountOf(
  authorKey: string,
  { from, to }: { from: number; to: number },
  rows: readonly TimelineRow[],
): string {
  if (!isImportedAuthorKey(authorKey)) return authorKey;
  return (
    rows.find(
      (row) => row.version >= from && row.version <= to && mapImported(row).actorId === authorKey,
    )?.actorId ?? authorKey
  );
}

/**
 * Returns the event that records a restore request. `marks` are the document's events that are more
 * than text edits. `rows` are needed for authors who are names in an imported file.
 */
export function eventOf(
  restoreRequest: RestoreRequest,
  { rows, marks }: { rows: readonly TimelineRow[]; marks: readonly Mark[] },
): TypedEvent<RestorePreview["type"]> {
  if (restoreRequest.kind === "revision")
    return {
      type: "document.reverted",
      body: { toVersion: restoreRequest.timeline.revision(restoreRequest.index).version },
    };
  const nothing = { author: null, from: null, quote: null };
  if (restoreRequest.kind === "events") {
    return {
      type: "document.reworked",
      body: {
        ...nothing,
        kind: "author",
        author: restoreRequest.actorId,
        from: restoreRequest.from,
        to: restoreRequest.to,
      },
    };
  }
  if (restoreRequest.kind === "author") {
    const [from, to] = [
      restoreRequest.timeline.revision(restoreRequest.from + 1).version,
      restoreRequest.timeline.revision(restoreRequest.to).version,
    ];
    return {
      type: "document.reworked",
      body: {
        ...nothing,
        kind: "author",
        author: accountOf(restoreRequest.author, { from, to }, rows),
        from,
        to,
      },
    };
  }
  const version = restoreRequest.timeline.revision(restoreRequest.index).version;
  // The request still holds words that an owner has redacted since. No event may restore them.
  if (
    marks.some(
      ({ version: at, type }) =>
        at > restoreRequest.timeline.version && type === "document.redacted",
    )
  ) {
    return { type: "document.reworked", body: { ...nothing, kind: "passage", to: version } };
  }
  const words =
    restoreRequest.kind === "words"
      ? passageAt(restoreRequest.timeline, restoreRequest.index, restoreRequest.range)
      : restoreRequest.change.out.trim() || restoreRequest.change.in.trim();
  const quote = firstCodePoints(words, longestRevertQuote);
  return { type: "document.reworked", body: { ...nothing, kind: "passage", to: version, quote } };
}

/** The acting person and the time, which the pure functions never determine themselves. */
export type Acting = { userId: string; clientId: number; time: number; eventId: string };
