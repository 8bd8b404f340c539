import { createServerClient } from "@supabase/ssr";
import type { SupabaseClient } from "@supabase/supabase-js";
import { cookies, headers } from "next/headers";
import { requestFetch } from "./auth-reach";
import { authCookie } from "./cookie";
import { environment } from "./environment";
import { realtime, secretClient } from "./plain-clients";

type Cookie = { name: string; value: string };
type CookieToSet = Cookie & { options: Record<string, unknown> };

/** Reads the cookies of a request, and receives the cookies of a refreshed session. */
export type CookieJar = {
  getAll: () => Cookie[];
  setAll: (cookies: CookieToSet[], headers: Record<string, string>) => void;
};

/**
 * Creates a client that acts as the person of one request; never keep the client beyond that
 * request. `agent` is the request's user agent, so that a session renewed here stays listed under
 * the person's browser. `secure` means that the request used HTTPS, and marks the session cookie
 * secure.
 */
export function requestClient(
  jar: CookieJar,
  agent: string | null,
  secure: boolean,
): SupabaseClient {
  const { url, publishableKey } = environment();
  return createServerClient(url, publishableKey, {
    cookieOptions: { name: authCookie, path: "/", sameSite: "lax", secure },
    cookies: jar,
    global: { fetch: requestFetch(), ...(agent && { headers: { "user-agent": agent } }) },
    realtime,
  });
}

/**
 * Creates the client of a page, server action or route handler, which acts as the request's person.
 */
export async function pageClient(): Promise<SupabaseClient> {
  const [jar, asked] = await Promise.all([cookies(), headers()]);
  const cookieJar: CookieJar = {
    getAll: () => jar.getAll(),
    setAll: (changed) => {
      try {
        for (const { name, value, options } of changed) jar.set(name, value, options);
      } catch {
        // A page cannot set cookies while it renders; the proxy has already refreshed the session.
      }
    },
  };
  return requestClient(
    cookieJar,
    asked.get("user-agent"),
    asked.get("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https",
  );
}

/**
 * Creates a client with the service key, which bypasses row-level security. Returns null without a
 * secret key.
 */
export function serviceClient(): SupabaseClient | null {
  return secretClient();
}
