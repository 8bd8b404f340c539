import { isUuid } from "@/events/core/ids/is-uuid";
import { longestWords, type SearchRequest, type SearchScope } from "@/events/read-models/search";

/** What a search page shows, as its address says it; days are those of the reader's calendar: "2026-11-24". */
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

/** What an address asks for; what makes no sense is left out. */
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

/** The query of an address, from its question mark on; empty where nothing is asked. */
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

/** How many filters are set. */
export function filterCount({ by, from, to, at, withTrash }: SearchAddress): number {
  return [by, from, to, at].filter((each) => each !== null).length + (withTrash ? 1 : 0);
}

export const noFilters = { by: null, from: null, to: null, at: null, withTrash: false } as const;

/** What the clock on the wall of a time zone says at an instant, as if that were UTC. */
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

/** The instant at which a day begins in a time zone, or one that is so many days later. */
function startOf(day: string, zone: string, later = 0): string {
  const wanted = Date.parse(`${day}T00:00:00Z`) + later * aDay;
  let instant = wanted;
  // Twice, for the offset may be another one there.
  for (let tries = 0; tries < 2; tries += 1) instant += wanted - wallTime(instant, zone);
  return new Date(instant).toISOString();
}

/** The search that an address asks for, of a reader in a time zone. */
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
