import { speeds } from "@/machines/replay/replay-opening";
import type { Address, Opening, Stretch } from "@/machines/replay/replay-opening";

/** The revision that the URL requests for comparison, or null. */
export type CompareRequest = { compare: Address | null };

const number = /^\d{1,15}$/;

function whole(text: string | null): number | null {
  return text !== null && number.test(text) ? Number(text) : null;
}

/** Parses a revision: `7` for the last of version 7, `7.12` for edit 12 within version 7. */
function addressIn(text: string | null): Address | null {
  const [version = "", edit, ...more] = (text ?? "").split(".");
  const [named, within] = [whole(version), edit === undefined ? null : whole(edit)];
  return named === null || (edit !== undefined && within === null) || more.length > 0
    ? null
    : { version: named, edit: within };
}

function wordOf({ version, edit }: Address): string {
  return edit === null ? `${version}` : `${version}.${edit}`;
}

/**
 * Parses the player's URL. A revision is `?at=12` or `?at=12&edit=3`. A range is `?from=5&to=12`
 * or, within events, `?from=5.3&to=12.8`, with `&play=1&speed=4` and `&within=20` (seconds). A
 * comparison is `?compare=5&with=12`, where `since` and `edit` name the edits within the two
 * versions. Invalid values are ignored.
 */
export function openingOf(query: URLSearchParams): Opening & CompareRequest {
  const compare = whole(query.get("compare"));
  const version = whole(query.get(compare === null ? "at" : "with"));
  const from = addressIn(query.get("from"));
  const to = addressIn(query.get("to"));
  const within = whole(query.get("within"));
  return {
    compare: compare === null ? null : { version: compare, edit: whole(query.get("since")) },
    at: version === null ? null : { version, edit: whole(query.get("edit")) },
    range: from !== null && to !== null ? { from, to } : null,
    play: query.get("play") === "1",
    speed: speeds.find((speed) => `${speed}` === query.get("speed")) ?? 1,
    within: within === null || within === 0 ? null : within * 1000,
  };
}

type Shown = { at: Address; range: Stretch | null };

/** Returns the query string of a revision and of the played range. */
export function addressOf({ at, range }: Shown): string {
  const edit = at.edit === null ? "" : `&edit=${at.edit}`;
  return `?at=${at.version}${edit}${range ? `&from=${wordOf(range.from)}&to=${wordOf(range.to)}` : ""}`;
}
