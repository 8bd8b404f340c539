import { SharedBudget } from "@/supabase/local/http/shared-budget";
import type { AccessContext, Authorizer } from "../authorizer";

/** Connections for policy queries: per account, and overall. */
export const policyConnections = { perAccount: 2, overall: 4 };

const never = new AbortController().signal;

/**
 * Queries the policies in turns by account. Each join costs a transaction, so without turns one
 * account's joins from many sockets would delay everyone else's.
 */
export function inTurns(authorizer: Authorizer, most = policyConnections): Authorizer {
  const turns = new SharedBudget({ perKey: most.perAccount, overall: most.overall });
  async function take<T>({ claims }: AccessContext, ask: () => Promise<T>): Promise<T> {
    const account = typeof claims.sub === "string" ? claims.sub : claims.role;
    const release = await turns.take(account, 1, never);
    try {
      return await ask();
    } finally {
      release();
    }
  }
  return {
    read: (context, presence) => take(context, () => authorizer.read(context, presence)),
    write: (context) => take(context, () => authorizer.write(context)),
  };
}
