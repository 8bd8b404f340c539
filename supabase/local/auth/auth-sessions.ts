import type { Sql } from "postgres";
import { z } from "zod";
import type { Caller } from "./api-key";
import { verifyToken } from "./tokens";

const codeSchema = z.looseObject({ error_code: z.string() });
const sessionSchema = z.looseObject({ access_token: z.string() });

export type AuthSessions = {
  /** Records the network address and user agent of a new session, for the list of sessions. */
  note(response: Response, from: { peer: string; agent: string | null }): Promise<void>;
  /**
   * Ends all other sessions of the caller, as Supabase does after a password change. A person who
   * knew the old password is thereby signed out.
   */
  endOthers(caller: Caller): Promise<void>;
  /**
   * Ends the session of a reused refresh token, and its access tokens. A reused refresh token has
   * two holders, and one of them stole it.
   */
  endReused(response: Response): Promise<void>;
};

/** Creates the session behaviour that Lite lacks. */
export function authSessions(sql: Sql, secret: string): AuthSessions {
  return {
    async note(response, { peer, agent }) {
      if (!response.headers.get("content-type")?.includes("json")) return;
      const session = sessionSchema.safeParse(
        await response
          .clone()
          .json()
          .catch(() => null),
      );
      const id = session.success
        ? verifyToken(session.data.access_token, secret, 0)?.session_id
        : undefined;
      if (!id) return;
      const ip = /^[0-9a-f.:]+$/i.test(peer) ? peer : null;
      await sql`
        update auth.sessions set user_agent = ${agent?.slice(0, 400) ?? null}, ip = ${ip},
        refreshed_at = now() at time zone 'UTC' where id = ${id}
      `;
    },

    async endReused(response) {
      const refused = codeSchema.safeParse(
        await response
          .clone()
          .json()
          .catch(() => null),
      );
      const session = response.headers.get("sb-auth-session-id") ?? "";
      if (!refused.success || refused.data.error_code !== "refresh_token_already_used") return;
      if (/^[0-9a-f-]{36}$/.test(session))
        await sql`delete from auth.sessions where id = ${session}`;
    },

    async endOthers({ claims }) {
      if (!claims?.sub || !claims.session_id) return;
      await sql`delete from auth.sessions where user_id = ${claims.sub} and id <> ${claims.session_id}`;
    },
  };
}
