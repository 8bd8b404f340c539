/** The cookie by which the server learns the reader's time zone, so that it writes the same words as the browser. */
export const zoneCookie = "palimpsest-zone";

/** Reads a time zone from the cookie's value; UTC for none and for one that nobody knows. */
export function parseZone(value: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: value ?? "UTC" }).resolvedOptions()
      .timeZone;
  } catch {
    return "UTC";
  }
}
