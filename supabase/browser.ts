import { createBrowserClient } from "@supabase/ssr";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { authCookie } from "./cookie";
import { keepAliveFetch } from "./keep-alive-fetch";
import { byOwnClock } from "./own-clock";
import type { PersonOfPage } from "./page-person";
import { personFetch } from "./person-fetch";
import { renewalAnswer, urlOf } from "./renewal-answer";
import { holdsSession } from "./stored-session";
import { maySendFor } from "./token-person";

/**
 * Makes the tab's one client; its session lives in a cookie, so that the server renders as the same person. Another tab
 * may replace that session at any moment: the client sends only under tokens of the person that the page belongs to.
 */
export function browserClient(
  url: string,
  publishableKey: string,
  person: PersonOfPage,
): SupabaseClient {
  const client: SupabaseClient = createBrowserClient(url, publishableKey, {
    cookieOptions: {
      name: authCookie,
      path: "/",
      sameSite: "lax",
      secure: location.protocol === "https:",
    },
    // The confirmation route answers links, so a code in an address is never spent by a page that happens to be open.
    auth: { detectSessionInUrl: false },
    global: { fetch: personFetch(person, sessionFetch(publishableKey, keepAliveFetch())) },
    realtime: {
      async accessToken() {
        const { data } = await client.auth.getSession();
        const token = data.session?.access_token ?? publishableKey;
        // Where this throws, the channels go on under the token that they have.
        if (!maySendFor(person.id, token)) throw new Error("The session is another person's.");
        return token;
      },
    },
  });
  const setAuth = client.realtime.setAuth.bind(client.realtime);
  // The client hands every new session on to the channels, which are the person's.
  client.realtime.setAuth = async (token) => {
    if (!token || maySendFor(person.id, token)) await setAuth(token);
  };
  return client;
}

/** Makes a client whose session is kept nowhere and touches no other client's. */
export function passingClient(url: string, publishableKey: string): SupabaseClient {
  return createClient(url, publishableKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storageKey: "passing",
    },
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
