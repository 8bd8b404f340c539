/** On a machine where many want a processor, a task has so many time slices to have its share of one. */
export const mostTimeSlices = 8;

/** What a task has had, in milliseconds, when its time slice number `slices` of `hardMs` has passed. */
type Slice = { hardMs: number; slices: number; worked: number; idle: number };

/**
 * What becomes of a task that has no answer when a time slice has passed: it took the time that it
 * had ("spent"), nobody answered it ("unanswered"), it had no processor and goes on, or had none
 * for so long that it ends ("starved").
 */
export function afterTimeSlice({
  hardMs,
  slices,
  worked,
  idle,
}: Slice): "spent" | "unanswered" | "goes on" | "starved" {
  if (worked >= hardMs / 2) return "spent";
  // A thread that only waited has taken nothing, and says nothing of what it was to do.
  if (idle >= (slices * hardMs) / 2) return "unanswered";
  // One that had work and no processor goes on, also before it has begun: later it would only begin again.
  return slices < mostTimeSlices ? "goes on" : "starved";
}
