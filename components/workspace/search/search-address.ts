import { isUuid } from "@/events/core/ids/is-uuid";
import { longestWords } from "@/events/read-models/search";
import type { SearchRequest, SearchScope } from "@/events/read-models/search";

/** The state of a search page in its URL. Days are in the reader's calendar: "2026-11-24". */
export type SearchAddress = {
  words: string;
  scope: SearchScope;
  by: string | null;
  from: string | null;
  to: string | null;
  at: string | null;
  withTrash: boolean;
};

const aDay = 86_400_000;

function dayIn(text: string | null): string | null {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text ?? "");
  return isDay && !Number.isNaN(Date.parse(text ?? "")) ? text : null;
}

/** Parses the search of a URL. Invalid values are ignored. */
export function searchAddressIn(query: URLSearchParams): SearchAddress {
  const by = query.get("by");
  return {
    words: (query.get("q") ?? "").slice(0, longestWords),
    scope: query.get("in") === "ever" ? "ever" : "now",
    by: by !== null && isUuid(by) ? by : null,
    from: dayIn(query.get("from")),
    to: dayIn(query.get("to")),
    at: dayIn(query.get("at")),
    withTrash: query.get("trash") === "1",
  };
}

/** Returns the query string of a search, or an empty string without a search. */
export function searchQueryOf({
  words,
  scope,
  by,
  from,
  to,
  at,
  withTrash,
}: SearchAddress): string {
  const query = new URLSearchParams({
    ...(words !== "" && { q: words }),
    ...(scope === "ever" && { in: scope }),
    ...(by !== null && { by }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(at !== null && { at }),
    ...(withTrash && { trash: "1" }),
  }).toString();
  return query === "" ? "" : `?${query}`;
}

/** Counts the filters that are set. */
export function filterCount({ by, from, to, at, withTrash }: SearchAddress): number {
  return [by, from, to, at].filter((each) => each !== null).length + (withTrash ? 1 : 0);
}

export const noFilters = { by: null, from: null, to: null, at: null, withTrash: false } as const;

/** Returns the local time of an instant in a time zone as ms, as if it were UTC. */
function wallTime(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  return Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
}

/** Returns the instant at which a day, or the day `later` days after it, begins in a time zone. */
function startOf(day: string, zone: string, later = 0): string {
  const wanted = Date.parse(`${day}T00:00:00Z`) + later * aDay;
  let instant = wanted;
  // The first guess may be on the other side of a change of offset, so this runs twice.
  for (let tries = 0; tries < 2; tries += 1) instant += wanted - wallTime(instant, zone);
  return new Date(instant).toISOString();
}

/** Returns the search request of a URL for a reader's time zone. */
export function searchRequestOf(address: SearchAddress, zone: string): SearchRequest {
  const { words, scope, by, from, to, at, withTrash } = address;
  return {
    words,
    scope,
    author: by,
    since: from && startOf(from, zone),
    until: to && startOf(to, zone, 1),
    at: at && startOf(at, zone, 1),
    withTrash,
  };
}
