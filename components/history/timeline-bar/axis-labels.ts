import type { Timeline } from "@/events/history/timeline/timeline";
import type { Axis } from "@/components/history/playback/timeline-axis";
import { axisWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";

/** An axis label of the timeline bar. Narrow layouts omit `detail`. */
type Tick = { left: number; text: string; detail: string };

const minute = 60_000;
const day = 1440 * minute;
const steps = [
  1,
  5,
  15,
  60,
  180,
  720,
  1440,
  3 * 1440,
  7 * 1440,
  30 * 1440,
  91 * 1440,
  365 * 1440,
].map((minutes) => minutes * minute);

function spaced(ticks: Tick[], least: number): Tick[] {
  const spacedTicks: Tick[] = [];
  for (const tick of ticks) {
    const before = spacedTicks.at(-1);
    if (!before || tick.left - before.left >= least) spacedTicks.push(tick);
  }
  return spacedTicks;
}

function words(left: number, time: number): Tick {
  const { day: date, time: clock } = axisWords(time);
  return { left, text: date, detail: clock };
}

/** Returns the first time at or after `time` that is a multiple of the step in local time. */
function roundedUp(time: number, step: number): number {
  const offset = new Date(time).getTimezoneOffset() * minute;
  return Math.ceil((time - offset) / step) * step + offset;
}

function ticksOfTime({ length, timeOf }: Timeline, most: number): Tick[] {
  const start = timeOf(0);
  const whole = Math.max(1, timeOf(length - 1) - start);
  const step = steps.find((each) => whole / each <= most) ?? whole;
  const ticks = [words(0, start)];
  for (let time = roundedUp(start + 1, step); time <= start + whole; time += step) {
    const tick = words((time - start) / whole, time);
    ticks.push(step >= day ? { ...tick, detail: "" } : { ...tick, text: tick.detail, detail: "" });
  }
  return ticks;
}

function ticksOfEdits({ length }: Timeline, most: number): Tick[] {
  const rough = Math.max(1, (length - 1) / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const ticks: Tick[] = [{ left: 0, text: "Edit 1", detail: "" }];
  for (let edit = step; edit < length; edit += step)
    ticks.push({ left: (edit - 1) / Math.max(1, length - 1), text: numberWords(edit), detail: "" });
  return ticks;
}

/** Returns the axis labels of a timeline bar `width` px wide, without overlaps. */
export function ticksOf(timeline: Timeline, axis: Axis, width: number): Tick[] {
  const spacing = width >= 600 ? 92 : 56;
  const most = Math.max(1, Math.floor(width / spacing));
  const ticks =
    axis.kind === "time"
      ? ticksOfTime(timeline, most)
      : axis.kind === "edits"
        ? ticksOfEdits(timeline, most)
        : axis.sessionTracks.map(({ left, begins }) => words(left, begins));
  return spaced(ticks, spacing / width).filter(
    ({ left }) => left === 0 || left * width + spacing * 0.7 <= width,
  );
}
