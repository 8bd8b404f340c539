/**
 * The header that names the person for whom a page asks. The product's own addresses compare it with the session of the
 * request; `personFetch` compares it with the token, and sends it no further.
 */
export const personHeader = "x-palimpsest-person";

/**
 * The person that a page belongs to, null before that is known: a browser has one session, which another tab may replace
 * at any moment, while the words on a page stay those of the person who typed them.
 */
export type PersonOfPage = {
  readonly id: string | null;
  /** Hears that something was not sent because the session is another person's. */
  doubt(): void;
};
