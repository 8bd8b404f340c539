/** The facts known before an emailed link signs in. */
type Arrival = {
  /** `Sec-Fetch-Site` of the navigation; empty when the browser sent none. */
  site: string;
  /** The account of the link; null when only following it reveals the account. */
  account: { userId: string } | null;
  /** The account of this browser's session. */
  present: { userId: string } | null;
};

/**
 * Whether a link asks before it signs in: when it would replace another account's session, or when
 * another site led here. Otherwise a page elsewhere could sign its visitor in to an account that
 * others read (login CSRF).
 */
export function asksFirst({ site, account, present }: Arrival): boolean {
  if (present !== null) return account?.userId !== present.userId;
  return site !== "none" && site !== "same-origin";
}
