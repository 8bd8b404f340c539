/**
 * The header with the person that a page belongs to. The product's own routes compare this person
 * with the session. `personFetch` compares the person with the token, and removes the header.
 */
export const personHeader = "x-palimpsest-person";

/**
 * The person that a page belongs to, or null while unknown. A browser has one session, which
 * another tab may replace at any time, but the text on a page belongs to the person who typed it.
 */
export type PersonOfPage = {
  readonly id: string | null;
  /** Called when a request was not sent because the session is another person's. */
  doubt(): void;
};
