/**
 * Replaces the notes beside a past text, which use timers of their own to be measured and placed.
 */
export function PastThreads(): null {
  return null;
}
