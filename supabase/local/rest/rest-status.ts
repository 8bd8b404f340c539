/**
 * The HTTP status by SQLSTATE prefix, longest first. The table is PostgREST's, except that
 * transient errors are 503 here: a lock timeout, a deadlock, a serialization failure, and a server
 * that is stopping or starting.
 */
const statuses: readonly (readonly [string, number])[] = [
  ["P0001", 400],
  ["23503", 409],
  ["23505", 409],
  ["25006", 405],
  ["42501", 403],
  ["42883", 404],
  ["42P01", 404],
  ["40001", 503],
  ["40P01", 503],
  ["42P17", 500],
  ["53400", 500],
  ["55P03", 503],
  ["57P0", 503],
  ["0L", 403],
  ["0P", 403],
  ["08", 503],
  ["09", 500],
  ["25", 500],
  ["28", 403],
  ["2D", 500],
  ["38", 500],
  ["39", 500],
  ["3B", 500],
  ["40", 500],
  ["53", 503],
  ["54", 500],
  ["55", 500],
  ["57", 500],
  ["58", 500],
  ["F0", 500],
  ["HV", 500],
  ["P0", 500],
  ["XX", 500],
];

/** The SQLSTATE of a statement timeout. */
const queryCanceled = "57014";

type Caller = {
  /** Whether the caller has only the publishable key. */
  isVisitor: boolean;
  /** Whether the call is a GET or a HEAD. */
  isRead: boolean;
};

/**
 * Returns the status of a call that failed with a database error. Visitors get 401 instead of 403.
 * A read that timed out gets 500, because supabase-js retries a read that gets 503.
 */
export function statusOf(sqlState: string, { isVisitor, isRead }: Caller): number {
  if (sqlState === queryCanceled) return isRead ? 500 : 503;
  const [, status = 400] = statuses.find(([begin]) => sqlState.startsWith(begin)) ?? [];
  return status === 403 && isVisitor ? 401 : status;
}
