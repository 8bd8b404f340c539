import { dateFormat } from "./date-format";

const locale = "en-GB";

/** The current time in ms, and the time zone that determines days. */
type Now = { now: number; zone: string };

const dayKey = (time: number, zone: string) =>
  dateFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(time);

/** Returns the number of calendar days before today, or 0 for today and the future. */
function daysAgo(time: number, { now, zone }: Now): number {
  const days = Date.parse(dayKey(now, zone)) - Date.parse(dayKey(time, zone));
  return Math.max(0, Math.round(days / 86_400_000));
}

/** Formats a day: "3 November", with the year unless it is the current year. */
export function dayOf(iso: string, at: Now): string {
  const time = Date.parse(iso);
  const otherYear = dayKey(time, at.zone).slice(0, 4) !== dayKey(at.now, at.zone).slice(0, 4);
  return dateFormat(locale, {
    timeZone: at.zone,
    day: "numeric",
    month: "long",
    ...(otherYear && { year: "numeric" as const }),
  }).format(time);
}

/** Formats a time of day: "09:12". */
export function timeOf(iso: string, { zone }: Pick<Now, "zone">): string {
  return dateFormat(locale, {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
  }).format(Date.parse(iso));
}

/** Formats a time below its day's heading: "just now", "09:12", "17 November". */
export function whenOf(iso: string, at: Now): string {
  if (at.now - Date.parse(iso) < 60_000) return "just now";
  return daysAgo(Date.parse(iso), at) < 2 ? timeOf(iso, at) : dayOf(iso, at);
}

/** Formats a time in a column: "just now", "09:12", "Yesterday", "17 November". */
export function dayOrTimeOf(iso: string, at: Now): string {
  const days = daysAgo(Date.parse(iso), at);
  if (days === 0) return whenOf(iso, at);
  return days === 1 ? "Yesterday" : dayOf(iso, at);
}

/**
 * Formats a time without a context: "just now", "today at 09:12", "yesterday at 17:30", "12
 * November at 11:02".
 */
export function dateTimeOf(iso: string, at: Now): string {
  if (at.now - Date.parse(iso) < 60_000) return "just now";
  const days = daysAgo(Date.parse(iso), at);
  const day = days === 0 ? "today" : days === 1 ? "yesterday" : dayOf(iso, at);
  return `${day} at ${timeOf(iso, at)}`;
}

/** Formats a future time: "28 November, 13:41". */
export function untilOf(time: number, at: Now): string {
  const iso = new Date(time).toISOString();
  return `${dayOf(iso, at)}, ${timeOf(iso, at)}`;
}

/** Returns the heading of a time in a list that is sorted by recent change. */
export function dayHeading(iso: string, at: Now): string {
  const time = Date.parse(iso);
  const days = daysAgo(time, at);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const month = dateFormat(locale, { timeZone: at.zone, month: "long" }).format(time);
  const [year = "", monthNumber] = dayKey(time, at.zone).split("-");
  const [thisYear, thisMonth] = dayKey(at.now, at.zone).split("-");
  if (year !== thisYear) return `${month} ${year}`;
  return monthNumber === thisMonth ? `Earlier in ${month}` : month;
}

/** Groups a list that is sorted by time into days. */
export function byDay<T>(
  items: readonly T[],
  timeOfItem: (item: T) => string,
  at: Now,
): { heading: string; items: T[] }[] {
  const groups: { heading: string; items: T[] }[] = [];
  for (const item of items) {
    const heading = dayHeading(timeOfItem(item), at);
    const last = groups.at(-1);
    if (last?.heading === heading) last.items.push(item);
    else groups.push({ heading, items: [item] });
  }
  return groups;
}
