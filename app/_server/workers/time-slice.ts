/** The most time slices in which a task on a busy machine can get its share of a processor. */
export const mostTimeSlices = 8;

/** A task's working and idle time in milliseconds, after `slices` time slices of `hardMs`. */
type Slice = { hardMs: number; slices: number; worked: number; idle: number };

/**
 * Decides about a task without a result at the end of a time slice: it used up its time ("spent"),
 * it got no response ("unanswered"), it lacked a processor and continues ("goes on"), or lacked one
 * for too long ("starved").
 */
export function afterTimeSlice({
  hardMs,
  slices,
  worked,
  idle,
}: Slice): "spent" | "unanswered" | "goes on" | "starved" {
  if (worked >= hardMs / 2) return "spent";
  // A thread that only waited has used no time, which says nothing about the cost of its task.
  if (idle >= (slices * hardMs) / 2) return "unanswered";
  // A task that lacked a processor continues, even if it has not begun: a retry would only start
  // over.
  return slices < mostTimeSlices ? "goes on" : "starved";
}
