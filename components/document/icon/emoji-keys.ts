type Place = { readonly left: number; readonly top: number };

/**
 * Returns where a key leads in a grid of emoji: another index, or "above" for the place above the
 * first row. Returns null for other keys.
 */
export function emojiToward(
  key: string,
  here: number,
  placesNow: () => readonly Place[],
): number | "above" | null {
  switch (key) {
    case "ArrowRight":
      return Math.min(here + 1, placesNow().length - 1);
    case "ArrowLeft":
      return Math.max(here - 1, 0);
    case "Home":
      return 0;
    case "End":
      return placesNow().length - 1;
    case "ArrowDown":
      return nextRow(placesNow(), here, 1) ?? here;
    case "ArrowUp":
      return nextRow(placesNow(), here, -1) ?? "above";
    default:
      return null;
  }
}

/** Returns the index of the nearest place in the next row below or above, or null without a row. */
function nextRow(places: readonly Place[], here: number, by: 1 | -1): number | null {
  const from = places[here];
  if (!from) return null;
  let found: { index: number; away: number; top: number } | null = null;
  for (let index = here + by; ; index += by) {
    const place = places[index];
    if (!place || (found && place.top !== found.top)) return found?.index ?? null;
    if (place.top === from.top) continue;
    const away = Math.abs(place.left - from.left);
    if (!found || away < found.away) found = { index, away, top: place.top };
  }
}
