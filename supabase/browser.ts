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
 * Creates the tab's only client. Its session is a cookie, so that the server renders as the same
 * person. Another tab may replace that session at any time: the client sends only under tokens of
 * the page's person.
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
    // The confirmation route handles links, so an open page never consumes the code in a URL.
    auth: { detectSessionInUrl: false },
    global: { fetch: personFetch(person, sessionFetch(publishableKey, keepAliveFetch())) },
    realtime: {
      async accessToken() {
        const { data } = await client.auth.getSession();
        const token = data.session?.access_token ?? publishableKey;
        // If this throws, channels continue with their current token.
        if (!maySendFor(person.id, token)) throw new Error("The session is another person's.");
        return token;
      },
    },
  });
  const setAuth = client.realtime.setAuth.bind(client.realtime);
  // The client passes every new session on to the channels, which belong to the page's person.
  client.realtime.setAuth = async (token) => {
    if (!token || maySendFor(person.id, token)) await setAuth(token);
  };
  return client;
}

/** Creates a client that stores no session and does not affect other clients. */
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
      // Without a renewed session the client sends as anonymous, and the refusal would be taken for
      // the answer to this person.
      throw new TypeError("The session could not be renewed, so nothing was asked.");
    const answer = renewalAnswer(input, await ask(input, init));
    return isAuth ? byOwnClock(answer) : answer;
  };
}

function asNobody(publishableKey: string, init?: RequestInit): boolean {
  return new Headers(init?.headers).get("authorization") === `Bearer ${publishableKey}`;
}
