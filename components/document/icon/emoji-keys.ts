type Place = { readonly left: number; readonly top: number };

/**
 * Where a key leads from one of many places that stand in rows: to the index of another one, or
 * above the first row; null for a key that leads nowhere.
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

/** The place of the next row that stands nearest below or above; null where there is no such row. */
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
