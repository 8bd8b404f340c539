/** An upload takes no longer than this before somebody is told that more may be wrong. */
const patienceMs = 30_000;

/**
 * What stands in the place of an image that is not there, by the pause in ms before it is asked for
 * again, and whether there is a network.
 */
export function missingWords(pauseMs: number, online: boolean): string {
  if (!online) return "This image is shown again when you’re back online.";
  return pauseMs < patienceMs
    ? "This image is on its way."
    : "This image isn’t available. It was removed, or its upload hasn’t ended yet.";
}
