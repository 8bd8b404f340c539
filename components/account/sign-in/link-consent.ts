/** The facts that are known before an emailed link signs in. */
type Arrival = {
  /** `Sec-Fetch-Site` of the navigation, or an empty string if the browser sent none. */
  site: string;
  /** The account of the link, or null if only following the link reveals its account. */
  account: { userId: string } | null;
  /** The account of this browser's session, or null without a session. */
  present: { userId: string } | null;
};

/**
 * Whether a link asks before it signs in. A link asks if it would replace another account's
 * session, or if another site led here. Without the question, another site could sign its visitor
 * in to an account that others read (login CSRF).
 */
export function asksFirst({ site, account, present }: Arrival): boolean {
  if (present !== null) return account?.userId !== present.userId;
  return site !== "none" && site !== "same-origin";
}
