import { bodyOf } from "@/events/core/recorded-body";
import type { RecordedRow } from "@/events/core/recorded-body";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { lastUpTo } from "@/events/core/binary-search";
import { iconChange } from "./document-icon";
import { placeAt, timeAt } from "./revision-columns";
import { TimingMap } from "./timing-map";
import { BrokenRecording, Recording } from "./recording";
import type { RecordingWriter } from "./recording";
import { FullHistoryText } from "./stored-history-text";
import type { Timeline, TimelineData, TimelineRow, WholeTimeline } from "./timeline";

function titleOf(row: RecordedRow): string | null {
  return (bodyOf(row, "document.created") ?? bodyOf(row, "document.renamed"))?.title ?? null;
}

/** Creates the timeline of a finished recording, which is cheap for any length of history. */
export function timelineOf(data: TimelineData): Timeline {
  const {
    revisions,
    historyText: columns,
    rhythm: { groups, pauses },
    marks,
    anomalies,
  } = data;
  const { length, starts, authors, userIds } = revisions;
  const times = { length, at: (index: number) => timeAt(revisions, index) };
  const types = new Map(marks.map(({ version, type }) => [version, type]));
  const titles = marks.flatMap((mark) => {
    const title = titleOf(mark);
    return title === null ? [] : [{ revision: mark.revision, title }];
  });
  const icons = marks.flatMap((mark) => {
    const change = iconChange(mark);
    return change ? [{ revision: mark.revision, ...change }] : [];
  });
  const historyText = new FullHistoryText(columns);
  return {
    length,
    version: starts.length,
    authors: userIds,
    marks,
    anomalies,
    blocks: historyText.blocks,
    historyText,
    timingMap: new TimingMap(times, pauses),
    revision: (at) => {
      const index = Math.max(0, Math.min(at, length - 1));
      const { version, edit } = placeAt(revisions, index);
      const author = authors[index] ?? 0;
      return {
        index,
        version,
        edit,
        type: types.get(version) ?? "document.edited",
        actorId: userIds[author] ?? "",
        author,
        time: times.at(index),
      };
    },
    authorOf: (index) => authors[index] ?? 0,
    timeOf: times.at,
    titleAt: (index) => titles.findLast(({ revision }) => revision <= index)?.title ?? "",
    iconAt: (index) => icons.findLast(({ revision }) => revision <= index)?.icon ?? null,
    ofVersion: (version) => Math.max(0, Math.min(starts[version] ?? length, length) - 1),
    groupBefore: (index) => groups[Math.max(0, lastUpTo(groups, index - 1))] ?? 0,
    groupAfter: (index) => groups[lastUpTo(groups, index) + 1] ?? length,
    data,
  };
}

/**
 * Builds a timeline from a stream's events, page by page and in order. If an event breaks the
 * recording, the builder starts over with a fold of the log, which determines the edits that every
 * reader rejects.
 */
export class TimelineBuilder {
  /** The rows that were added to this builder. */
  readonly rows: TimelineRow[] = [];
  private readonly from: number;
  private recording: Recording;
  private fold: ConfirmedDocument | null = null;

  /** Continues the given recording. */
  constructor(recording = new Recording()) {
    this.recording = recording;
    this.from = recording.revisions.version;
  }

  /**
   * Adds the next event. Edits that no honest reader accepts are left out and recorded as
   * anomalies. Returns false if the event needs the whole log and the builder has not seen its
   * beginning. The builder is then unusable.
   */
  add(row: TimelineRow, writer?: RecordingWriter): boolean {
    this.rows.push(row);
    if (this.fold) {
      this.recording.add(row, this.fold.accept(row), writer);
      return true;
    }
    try {
      this.recording.add(row, null, writer);
    } catch (error) {
      if (!(error instanceof BrokenRecording)) throw error;
      if (this.from > 0) return false;
      this.recording = new Recording();
      const fold = new ConfirmedDocument(null);
      for (const each of this.rows) this.recording.add(each, fold.accept(each));
      this.fold = fold;
    }
    return true;
  }

  /**
   * Returns a copy of the recording with one more event, which is not added to the builder. Throws
   * BrokenRecording if the event needs the whole log and the builder has not seen its beginning.
   */
  ahead(row: TimelineRow): Recording {
    const made = this.recording.copy();
    try {
      made.add(row, null);
      return made;
    } catch (error) {
      if (!(error instanceof BrokenRecording) || this.from > 0) throw error;
      const anew = new TimelineBuilder();
      for (const each of [...this.rows, row]) anew.add(each);
      return anew.finish();
    }
  }

  /** Returns the recording so far. More events may be added afterwards. */
  finish(): Recording {
    return this.recording;
  }
}

/** Opens the timeline of a whole stream in memory. */
export function openTimeline(rows: Iterable<TimelineRow>): WholeTimeline {
  const builder = new TimelineBuilder();
  for (const row of rows) builder.add(row);
  const recording = builder.finish();
  return { ...timelineOf(recording.finish()), state: () => recording.state() };
}
