/**
 * The cookie with the reader's time zone, so that the server renders the same words as the browser.
 */
export const zoneCookie = "palimpsest-zone";

/** Parses a time zone from the cookie; UTC when missing or unknown. */
export function parseZone(value: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: value ?? "UTC" }).resolvedOptions()
      .timeZone;
  } catch {
    return "UTC";
  }
}
