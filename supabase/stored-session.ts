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

/** The content of a session that has not been verified. */
export type StoredSession = z.infer<typeof session>;

const base64 = "base64-";

/** Whether cookies, in the format of `document.cookie`, contain a session. */
export function holdsSession(cookies: string): boolean {
  return parseCookieHeader(cookies).some(({ name }) => isChunkLike(name, authCookie));
}

/**
 * Reads the session from cookies. Once its token has expired and could not be renewed, the auth
 * client returns none, both if the session was refused, which clears the cookies, and if auth was
 * unreachable.
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
