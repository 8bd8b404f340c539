/** PostgREST's table: the status of an answer by the beginning of the SQLSTATE, the longest first. */
const statuses: readonly (readonly [string, number])[] = [
  ["P0001", 400],
  ["23503", 409],
  ["23505", 409],
  ["25006", 405],
  ["42501", 403],
  ["42883", 404],
  ["42P01", 404],
  ["42P17", 500],
  ["53400", 500],
  ["57014", 500],
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

/** The status that PostgREST gives an error of the database; a visitor is asked to sign in. */
export function statusOf(sqlState: string, isVisitor: boolean): number {
  const [, status = 400] = statuses.find(([begin]) => sqlState.startsWith(begin)) ?? [];
  return status === 403 && isVisitor ? 401 : status;
}
