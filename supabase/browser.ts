import { createBrowserClient } from "@supabase/ssr";
import type { SupabaseClient } from "@supabase/supabase-js";
import { authCookie } from "./cookie";
import { keepAliveFetch } from "./keep-alive-fetch";
import { byOwnClock } from "./own-clock";

/** Makes the tab's one client; its session lives in a cookie, so that the server renders as the same person. */
export function browserClient(url: string, publishableKey: string): SupabaseClient {
  return createBrowserClient(url, publishableKey, {
    cookieOptions: {
      name: authCookie,
      path: "/",
      sameSite: "lax",
      secure: location.protocol === "https:",
    },
    // The confirmation route answers links, so a code in an address is never spent by a page that happens to be open.
    auth: { detectSessionInUrl: false },
    global: { fetch: sessionFetch },
  });
}

async function sessionFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await keepAliveFetch(input, init);
  return answer.url.includes("/auth/v1/") ? byOwnClock(answer) : answer;
}
