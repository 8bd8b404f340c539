import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { z } from "zod";
import type { AuthCall } from "./auth-endpoints";
import { signToken, verifyToken } from "./tokens";

const grantedSchema = z.looseObject({
  access_token: z.string(),
  user: z.looseObject({
    phone: z.string().nullish(),
    app_metadata: z.record(z.string(), z.unknown()).nullish(),
    user_metadata: z.record(z.string(), z.unknown()).nullish(),
    is_anonymous: z.boolean().nullish(),
  }),
});

/** The limit of user metadata in characters of JSON, so that the token fits a header. */
const mostMetadata = 4_096;

function withinHeader(metadata: Record<string, unknown>): Record<string, unknown> {
  return JSON.stringify(metadata).length <= mostMetadata ? metadata : {};
}

/** Returns the sign-in method in Supabase's terms, or null if the call continues a session. */
function methodOf({ kind, body }: AuthCall): string | null {
  if (kind === "password" || kind === "signUp") return "password";
  if (kind === "verify") return body.type === "magiclink" ? "magiclink" : "otp";
  return null;
}

/**
 * Adds to a response's access token the claims that a hosted project includes and Lite lacks
 * (`iss`, `app_metadata`, `user_metadata`, `aal`, `amr`, `phone`, `is_anonymous`), so that policies
 * can use them. Responses without a session stay unchanged.
 */
export function sessionClaims(options: { sql: Sql; jwtSecret: string; issuer: string }) {
  const { sql, jwtSecret, issuer } = options;
  return async (call: AuthCall, response: Response): Promise<Response> => {
    if (!response.ok || !response.headers.get("content-type")?.includes("json")) return response;
    const answer: unknown = await response.clone().json();
    const granted = grantedSchema.safeParse(answer);
    const claims = granted.success && verifyToken(granted.data.access_token, jwtSecret, 0);
    if (!claims || claims.session_id === undefined) return response;
    const { user } = granted.data;
    const amr = await signedInBy(sql, claims.session_id, methodOf(call));
    const token = signToken(
      {
        ...claims,
        iss: issuer,
        phone: user.phone ?? "",
        app_metadata: user.app_metadata ?? {},
        user_metadata: withinHeader(user.user_metadata ?? {}),
        aal: "aal1",
        amr,
        is_anonymous: user.is_anonymous ?? false,
      },
      jwtSecret,
    );
    return Response.json(
      { ...granted.data, access_token: token },
      { status: response.status, headers: { "cache-control": "no-store" } },
    );
  };
}

/** Records the sign-in method of a new session. Returns the method and its time in seconds. */
async function signedInBy(
  sql: Sql,
  session: string,
  method: string | null,
): Promise<{ method: string; timestamp: number }[]> {
  if (method !== null)
    await sql`
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      values (${randomUUID()}, ${session}, now(), now(), ${method})
      on conflict (session_id, authentication_method) do update set updated_at = now()`;
  const rows = await sql<{ method: string; timestamp: number }[]>`
    select authentication_method as method, extract(epoch from updated_at)::int as timestamp
    from auth.mfa_amr_claims where session_id = ${session} order by updated_at desc`;
  return [...rows];
}
