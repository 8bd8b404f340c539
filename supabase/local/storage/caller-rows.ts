import type { Sql, TransactionSql } from "postgres";
import type { Caller } from "../auth/api-key";

/**
 * Queries the database as a Storage caller, with the role and claims of the caller's token. The
 * policies of `storage.objects` then apply as for Supabase Lite's own statements.
 */
export async function asCaller<T>(
  sql: Sql,
  { kind, claims }: Caller,
  operation: string,
  ask: (sql: TransactionSql) => Promise<T>,
): Promise<T> {
  const ofToken = kind === "service" ? null : claims;
  const role = kind === "service" ? "service_role" : (ofToken?.role ?? "anon");
  const settings = {
    "request.jwt.claims": ofToken === null ? "" : JSON.stringify(ofToken),
    "request.jwt.claim.sub": ofToken?.sub ?? "",
    "request.jwt.claim.role": role,
    "storage.operation": operation,
    role,
  };
  const result = await sql.begin(async (transaction) => {
    await transaction`
      select set_config(name, value, true)
      from unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[])
        as settings (name, value)`;
    return { answer: await ask(transaction) };
  });
  return result.answer;
}

/** Finds the names that a caller may read in a bucket, with one statement. */
export function readableNames(sql: Sql) {
  return (
    caller: Caller,
    operation: string,
    bucket: string,
    names: readonly string[],
  ): Promise<ReadonlySet<string>> =>
    asCaller(sql, caller, operation, async (transaction) => {
      const rows = await transaction<{ name: string }[]>`
        select name from storage.objects
        where bucket_id = ${bucket} and name = any(${[...names]}::text[])`;
      return new Set(rows.map(({ name }) => name));
    });
}
