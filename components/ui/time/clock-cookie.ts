/** The cookie with the reader's time zone, in which server and browser render the same words. */
export const zoneCookie = "palimpsest-zone";

/** Parses a time zone from the cookie. Returns UTC if the zone is missing or unknown. */
export function parseZone(value: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: value ?? "UTC" }).resolvedOptions()
      .timeZone;
  } catch {
    return "UTC";
  }
}
