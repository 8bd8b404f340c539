import { lastUpTo } from "@/events/core/binary-search";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import { revisionAtTime } from "./revision-input";

/**
 * The scale of the timeline bar. `sessions` cuts out the pauses between sessions, `time` is real
 * time, and `edits` gives each edit an equal step.
 */
export type AxisKind = "sessions" | "time" | "edits";

/**
 * A session's stretch of the timeline bar, in fractions of its width. `pauseBefore` is in real ms.
 */
export type SessionTrack = Span & {
  left: number;
  right: number;
  begins: number;
  pauseBefore: number;
};

/** The layout of a history from 0 to 1. */
export type Axis = {
  kind: AxisKind;
  sessionTracks: readonly SessionTrack[];
  /** Returns the position of a revision. */
  positionOf(index: number): number;
  /** Returns the revision at a position. In a break, it is the last one of the session before. */
  revisionAt(position: number): number;
};

type History = Pick<Timeline, "length" | "timingMap" | "timeOf">;

const breaksAtMost = 0.35;
const shortest = 0.04;

const clamped = (value: number) => Math.min(1, Math.max(0, value));

/**
 * Lays out sessions by their playing time. The break between two is `breakWidth` (a fraction), or
 * less if there are many.
 */
function sessionTracksOf({ timingMap, timeOf }: History, breakWidth: number): SessionTrack[] {
  const { sessions } = timingMap;
  const breaks = Math.min((sessions.length - 1) * breakWidth, breaksAtMost);
  const available = 1 - Math.max(0, breaks);
  const least = Math.min(shortest, available / Math.max(1, sessions.length * 2));
  const weights = sessions.map(
    ({ from, to }) => timingMap.playedAt(to) - timingMap.playedAt(from) + (to - from + 1) * 50,
  );
  const whole = Math.max(
    1,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const spare = available - least * sessions.length;
  let left = 0;
  return sessions.map(({ from, to }, index) => {
    const begun = left;
    const right = begun + least + (spare * (weights[index] ?? 0)) / whole;
    left = right + (sessions.length > 1 ? breaks / (sessions.length - 1) : 0);
    return {
      from,
      to,
      left: begun,
      right,
      begins: timeOf(from),
      pauseBefore: from === 0 ? 0 : timeOf(from) - timeOf(from - 1),
    };
  });
}

function axisOfSessions(history: History, breakWidth: number): Axis {
  const { timingMap } = history;
  const sessionTracks = sessionTracksOf(history, breakWidth);
  const froms = sessionTracks.map(({ from }) => from);
  const lefts = sessionTracks.map(({ left }) => left);
  return {
    kind: "sessions",
    sessionTracks,
    positionOf(index) {
      const sessionTrack = sessionTracks[Math.max(0, lastUpTo(froms, index))];
      if (!sessionTrack) return 0;
      const start = timingMap.playedAt(sessionTrack.from);
      const length = timingMap.playedAt(sessionTrack.to) - start;
      const inside =
        length > 0
          ? (timingMap.playedAt(index) - start) / length
          : index >= sessionTrack.to
            ? 1
            : 0;
      return sessionTrack.left + clamped(inside) * (sessionTrack.right - sessionTrack.left);
    },
    revisionAt(position) {
      const sessionTrack = sessionTracks[Math.max(0, lastUpTo(lefts, position))];
      if (!sessionTrack) return 0;
      const inside = clamped(
        (position - sessionTrack.left) / Math.max(1e-9, sessionTrack.right - sessionTrack.left),
      );
      const start = timingMap.playedAt(sessionTrack.from);
      const index = timingMap.revisionAt(
        start + inside * (timingMap.playedAt(sessionTrack.to) - start) + 0.5,
      );
      return Math.max(sessionTrack.from, Math.min(sessionTrack.to, index));
    },
  };
}

function oneSessionTrack({ length, timeOf }: History): SessionTrack {
  return {
    from: 0,
    to: Math.max(0, length - 1),
    left: 0,
    right: 1,
    begins: timeOf(0),
    pauseBefore: 0,
  };
}

function axisOfTime(history: History): Axis {
  const { length, timeOf } = history;
  const start = timeOf(0);
  const whole = Math.max(1, timeOf(length - 1) - start);
  return {
    kind: "time",
    sessionTracks: [oneSessionTrack(history)],
    positionOf: (index) => clamped((timeOf(index) - start) / whole),
    revisionAt: (position) => revisionAtTime(history, start + clamped(position) * whole + 0.5),
  };
}

function axisOfEdits(history: History): Axis {
  const last = Math.max(1, history.length - 1);
  return {
    kind: "edits",
    sessionTracks: [oneSessionTrack(history)],
    positionOf: (index) => clamped(index / last),
    revisionAt: (position) =>
      Math.min(Math.max(0, history.length - 1), Math.round(clamped(position) * last)),
  };
}

/** Lays out a history for a timeline bar `width` px wide. */
export function axisOf(history: History, kind: AxisKind, width: number): Axis {
  if (kind === "time") return axisOfTime(history);
  if (kind === "edits") return axisOfEdits(history);
  return axisOfSessions(history, (width >= 600 ? 66 : 42) / Math.max(1, width));
}

// The distance in px within which a press selects a revision ahead of it.
const reach = 3;

/**
 * Returns the revision that a press selects on a timeline bar of this width. Near the bar's end,
 * where several revisions may coincide, a press selects the last one. Elsewhere, a press selects
 * the revision ahead of it if that is near.
 */
export function pressedRevision(axis: Axis, last: number, position: number, width: number): number {
  const isNear = (index: number) => (axis.positionOf(index) - position) * width <= reach;
  if (isNear(last)) return last;
  const found = axis.revisionAt(position);
  return isNear(found + 1) ? found + 1 : found;
}
