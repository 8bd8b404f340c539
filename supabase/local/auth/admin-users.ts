import type { Sql } from "postgres";
import type { Call } from "../http/call";
import { refusal } from "../http/refusals";

/** The admin path for a user, as on a hosted project. The id follows the path. */
export const usersPath = "admin/users/";

type User = { id: string; email: string | null; created_at: string };

/**
 * Reads a user for the service, or deletes a user with all their sessions and identities. Lite
 * supports neither.
 */
export function adminUsers(sql: Sql): (call: Call, userId: string) => Promise<Response> {
  const remove = (userId: string) =>
    sql.begin(async (own) => {
      await own`delete from auth.refresh_tokens where user_id = ${userId}`;
      return own<User[]>`
        delete from auth.users where id = ${userId} returning id, email, created_at`;
    });
  return async ({ head, caller }, userId) => {
    if (caller.kind !== "service") return refusal(403, "not_admin", "User not allowed");
    const [user] =
      head.method === "DELETE"
        ? await remove(userId)
        : await sql<User[]>`select id, email, created_at from auth.users where id = ${userId}`;
    if (!user) return refusal(404, "user_not_found", "User not found");
    return Response.json(head.method === "DELETE" ? {} : user);
  };
}
