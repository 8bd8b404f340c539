/**
 * The header with the person that a page belongs to. The product's own routes compare it with the
 * session; `personFetch` compares it with the token and removes it.
 */
export const personHeader = "x-palimpsest-person";

/**
 * The person that a page belongs to; null before it is known. A browser has one session, which
 * another tab may replace at any time, while the text on a page belongs to the person who typed it.
 */
export type PersonOfPage = {
  readonly id: string | null;
  /** Called when a request was not sent because the session is another person's. */
  doubt(): void;
};
