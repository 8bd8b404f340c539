/** What is known before an emailed link signs anybody in. */
type Arrival = {
  /** `Sec-Fetch-Site` of the navigation; empty where the browser sent none. */
  site: string;
  /** The account of the link; null where only following it tells. */
  account: { userId: string } | null;
  /** The account whose session this browser has. */
  present: { userId: string } | null;
};

/**
 * Decides whether a link signs in only after a question: where it would replace the session of another
 * account, or another site led here. Without the question, a page elsewhere could sign its visitor in to
 * an account that others read (login CSRF).
 */
export function asksFirst({ site, account, present }: Arrival): boolean {
  if (present !== null) return account?.userId !== present.userId;
  return site !== "none" && site !== "same-origin";
}
