import { combineChunks, isChunkLike, parseCookieHeader, stringFromBase64URL } from "@supabase/ssr";
import * as z from "zod/mini";
import { authCookie } from "./cookie";

const session = z.object({
  access_token: z.string(),
  expires_at: z.optional(z.number()),
  user: z.object({
    id: z.string(),
    email: z.optional(z.string()),
    updated_at: z.optional(z.string()),
    user_metadata: z.object({ name: z.optional(z.unknown()) }),
  }),
});

/** The content of an unverified session. */
export type StoredSession = z.infer<typeof session>;

const base64 = "base64-";

/** Whether cookies, in the format of `document.cookie`, contain a session. */
export function holdsSession(cookies: string): boolean {
  return parseCookieHeader(cookies).some(({ name }) => isChunkLike(name, authCookie));
}

/**
 * Reads the session from cookies. If a token has expired and could not be renewed, the auth client
 * returns no session, both if auth refused the session and cleared the cookies, and if auth was
 * unreachable. The cookies tell these cases apart.
 */
export async function storedSession(cookies: string): Promise<StoredSession | null> {
  const held = parseCookieHeader(cookies);
  const text = await combineChunks(
    authCookie,
    (name) => held.find((cookie) => cookie.name === name)?.value,
  );
  if (!text) return null;
  const json = text.startsWith(base64) ? stringFromBase64URL(text.slice(base64.length)) : text;
  return session.parse(JSON.parse(json));
}
