import { firstWhere } from "@/events/core/binary-search";
import type { Timeline } from "@/events/history/timeline/timeline";

const two = (value: number) => String(value).padStart(2, "0");

/** Returns a time as the value of a datetime-local field, in local time: "2026-11-14T15:42:07". */
export function localInput(time: number): string {
  const at = new Date(time);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Returns the time in a datetime-local field, at the end of its second, or null if invalid. */
export function timeOfInput(text: string): number | null {
  const time = new Date(text).getTime();
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(time) ? time + 999 : null;
}

/** Returns the last revision that is not after a time, or the first if all are later. */
export function revisionAtTime(
  { length, timeOf }: Pick<Timeline, "length" | "timeOf">,
  time: number,
): number {
  return Math.max(0, firstWhere(0, length, (index) => timeOf(index) > time) - 1);
}
