import type { Clock } from "@/events/core/clock";
import type { Timeline } from "@/events/history/timeline/timeline";
import { BackgroundLost } from "./remote-jobs";
import type { Deriver } from "./deriver";
import { growTimeline } from "./history";
import type { GrowingTimeline, HistorySource } from "./history";

type Input = {
  source: HistorySource;
  documentId: string;
  clock: Clock;
  derive: () => Deriver;
  onTimeline: (timeline: Timeline) => void;
  /** Called when the history could not be read. */
  onFailed: () => void;
};

export type LiveHistory = {
  /** Reports that the log holds `version` events. */
  heard(version: number): void;
  /** Reads at once, for example after a failure. */
  retry(): void;
  close(): void;
};

/**
 * The idle time of the log before its new rows are read, and the longest wait for it, both in
 * milliseconds.
 */
const rest = 1_200;
const longestWait = 10_000;

/**
 * Reads the history of a document that is being edited. Reads it once from its beginning, however
 * much is recorded meanwhile. Then reads only new rows, whenever the log is idle or has been busy
 * for a while.
 */
export function liveHistory(input: Input): LiveHistory {
  const { clock, onTimeline, onFailed } = input;
  const stop = new AbortController();
  let history: GrowingTimeline | null = null;
  let reading = false;
  let reached = 0;
  let announced = 0;
  /** The time when the first unread event was announced, or null without one. */
  let since: number | null = null;
  let cancel = () => {};

  const later = (delay: number) => {
    cancel();
    cancel = clock.after(delay, () => void read());
  };

  const open = async () => {
    const opened = await growTimeline({
      ...input,
      signal: stop.signal,
      onProgress: () => undefined,
    });
    if (stop.signal.aborted) opened.close();
    else history = opened;
    return opened.timeline;
  };

  const read = async () => {
    if (reading || stop.signal.aborted) return;
    cancel();
    [reading, since] = [true, null];
    try {
      const timeline = await (history?.grow() ?? open());
      if (stop.signal.aborted) return;
      reached = timeline.version;
      onTimeline(timeline);
    } catch (fault) {
      if (stop.signal.aborted) return;
      if (history === null) onFailed();
      else again(fault);
    } finally {
      reading = false;
    }
    // Announced events may already have been read. Unreadable events are not requested again.
    if (since !== null && announced > reached) later(rest);
  };

  /** Retries. The displayed history stays, although the worker that held it may be gone. */
  const again = (fault: unknown) => {
    if (fault instanceof BackgroundLost) {
      history?.close();
      history = null;
    }
    later(fault instanceof BackgroundLost ? 0 : longestWait);
  };

  void read();
  return {
    heard(version) {
      if (version <= Math.max(announced, reached)) return;
      announced = version;
      since ??= clock.elapsed();
      if (!reading) later(Math.min(rest, since + longestWait - clock.elapsed()));
    },
    retry: () => void read(),
    close() {
      stop.abort();
      cancel();
      history?.close();
    },
  };
}
