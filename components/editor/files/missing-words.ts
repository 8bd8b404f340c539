/** From this pause on, in ms, the image counts as unavailable instead of still uploading. */
const patienceMs = 30_000;

/**
 * Returns the placeholder text of a missing image, by the pause before the next retry in ms and
 * whether the browser is online.
 */
export function missingWords(pauseMs: number, online: boolean): string {
  if (!online) return "This image is shown again when you’re back online.";
  return pauseMs < patienceMs
    ? "This image is on its way."
    : "This image isn’t available. It was removed, or its upload hasn’t ended yet.";
}
