/** Replaces the notes beside a past text, which are measured and placed with timers. */
export function PastThreads(): null {
  return null;
}
