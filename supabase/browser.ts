import { createBrowserClient } from "@supabase/ssr";
import type { SupabaseClient } from "@supabase/supabase-js";
import { authCookie } from "./cookie";
import { keepAliveFetch } from "./keep-alive-fetch";
import { byOwnClock } from "./own-clock";
import { renewalAnswer, urlOf } from "./renewal-answer";
import { holdsSession } from "./stored-session";

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
    global: { fetch: sessionFetch(publishableKey, keepAliveFetch()) },
  });
}

function sessionFetch(publishableKey: string, ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const isAuth = urlOf(input).includes("/auth/v1/");
    if (!isAuth && asNobody(publishableKey, init) && holdsSession(document.cookie))
      // The client asks as nobody while it cannot renew the session, and "nobody may do this" would
      // be taken for the answer.
      throw new TypeError("The session could not be renewed, so nothing was asked.");
    const answer = renewalAnswer(input, await ask(input, init));
    return isAuth ? byOwnClock(answer) : answer;
  };
}

function asNobody(publishableKey: string, init?: RequestInit): boolean {
  return new Headers(init?.headers).get("authorization") === `Bearer ${publishableKey}`;
}
