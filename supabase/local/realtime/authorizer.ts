import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Claims } from "./token";

/**
 * The caller and topic. `headers` are the `x-*` headers of a WebSocket upgrade, or all headers of a
 * REST request.
 */
export type AccessContext = { topic: string; claims: Claims; headers: Record<string, string> };

/** `presence` is null if the right was not requested. */
export type ReadRights = { broadcast: boolean; presence: boolean | null };
export type WriteRights = { broadcast: boolean; presence: boolean };

/**
 * Returns the rights that the policies on realtime.messages grant. Throws AuthorizationFault if the
 * policies cannot be evaluated.
 */
export type Authorizer = {
  read(context: AccessContext, presence: boolean): Promise<ReadRights>;
  write(context: AccessContext): Promise<WriteRights>;
};

export type FaultName = "policy" | "partition" | "canceled" | "unavailable";

/** Thrown if the policies could not be evaluated: a policy failed, or the database did. */
export class AuthorizationFault extends Error {
  override name = "AuthorizationFault";
  readonly fault: FaultName;

  constructor(fault: FaultName, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.fault = fault;
  }
}

const insufficientPrivilege = "42501";
const checkViolation = "23514";
const queryCanceled = "57014";
/** SQLSTATE classes of an unavailable or overloaded server. Other errors mean a broken policy. */
const away = ["08", "53", "57", "58"];

function faultOf(error: unknown): AuthorizationFault {
  if (!(error instanceof postgres.PostgresError))
    return new AuthorizationFault("unavailable", error);
  if (error.code === checkViolation) return new AuthorizationFault("partition", error);
  if (error.code === queryCanceled) return new AuthorizationFault("canceled", error);
  return new AuthorizationFault(
    away.includes(error.code.slice(0, 2)) ? "unavailable" : "policy",
    error,
  );
}

/** Runs `ask` in a transaction that never commits. */
async function probe<T>(
  sql: postgres.Sql,
  ask: (transaction: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  let answer: { value: T } | undefined;
  const undo = new Error("rolled back on purpose");
  try {
    await sql.begin(async (transaction) => {
      answer = { value: await ask(transaction) };
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw faultOf(error);
  }
  if (answer === undefined)
    throw new AuthorizationFault("unavailable", "the authorization query returned no rows");
  return answer.value;
}

/** Sets the caller's role and claims for the rest of the transaction. */
function become(transaction: postgres.TransactionSql, { topic, claims, headers }: AccessContext) {
  const subject = typeof claims.sub === "string" ? claims.sub : "";
  return transaction`select set_config('role', ${claims.role}, true),
    set_config('realtime.topic', ${topic}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
    set_config('request.jwt.claim.sub', ${subject}, true),
    set_config('request.jwt.claim.role', ${claims.role}, true),
    set_config('request.headers', ${JSON.stringify(headers)}, true)`;
}

/**
 * Evaluates the real policies: inserts a probe row, reads or writes it as the caller, and rolls
 * back. Without RETURNING, which would apply the SELECT policies to INSERT.
 */
export function policyAuthorizer(sql: postgres.Sql): Authorizer {
  return {
    read: (context, presence) =>
      probe(sql, async (transaction) => {
        const broadcastId = randomUUID();
        const presenceId = randomUUID();
        const rows = [{ id: broadcastId, topic: context.topic, extension: "broadcast" }];
        if (presence) rows.push({ id: presenceId, topic: context.topic, extension: "presence" });
        // Pipelined: the statements are sent together.
        const [, , seen] = await Promise.all([
          transaction`insert into realtime.messages ${transaction(rows)}`,
          become(transaction, context),
          transaction<
            { id: string }[]
          >`select id from realtime.messages where id in ${transaction(rows.map(({ id }) => id))}`,
        ]);
        const visible = new Set(seen.map(({ id }) => id));
        return {
          broadcast: visible.has(broadcastId),
          presence: presence ? visible.has(presenceId) : null,
        };
      }),

    write: (context) =>
      probe(sql, async (transaction) => {
        await become(transaction, context);
        const mayInsert = async (extension: string): Promise<boolean> => {
          try {
            await transaction.savepoint(
              (inner) =>
                inner`insert into realtime.messages (topic, extension) values (${context.topic}, ${extension})`,
            );
            return true;
          } catch (error) {
            if (error instanceof postgres.PostgresError && error.code === insufficientPrivilege)
              return false;
            throw error;
          }
        };
        return { broadcast: await mayInsert("broadcast"), presence: await mayInsert("presence") };
      }),
  };
}
