import { createServerClient } from "@supabase/ssr";
import type { SupabaseClient } from "@supabase/supabase-js";
import { cookies, headers } from "next/headers";
import { requestFetch } from "./auth-reach";
import { authCookie } from "./cookie";
import { environment } from "./environment";
import { realtime, secretClient } from "./plain-clients";

type Cookie = { name: string; value: string };
type CookieToSet = Cookie & { options: Record<string, unknown> };

/** Where a request's cookies are read from and a refreshed session is written to. */
export type CookieJar = {
  getAll: () => Cookie[];
  setAll: (cookies: CookieToSet[], headers: Record<string, string>) => void;
};

/**
 * Makes a client that acts as the person of one request; never keep it beyond that request. `agent` is the user agent
 * of the request: a session renewed here stays known by the person's browser and not by this server. `secure` says that
 * the request came over https: then the cookie of a renewed session goes nowhere else.
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

/** Makes the client of a page, a server action or a route handler, as the person who asked for it. */
export async function pageClient(): Promise<SupabaseClient> {
  const [jar, asked] = await Promise.all([cookies(), headers()]);
  const cookieJar: CookieJar = {
    getAll: () => jar.getAll(),
    setAll: (changed) => {
      try {
        for (const { name, value, options } of changed) jar.set(name, value, options);
      } catch {
        // A page cannot set cookies while it renders; the proxy has refreshed the session before it.
      }
    },
  };
  return requestClient(
    cookieJar,
    asked.get("user-agent"),
    asked.get("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https",
  );
}

/** Makes a client with the service key, which passes by every policy; null where the project's secret is not known. */
export function serviceClient(): SupabaseClient | null {
  return secretClient();
}
