import { createBrowserClient } from "@supabase/ssr";
import { createClient } from "@supabase/supabase-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import { authCookie } from "./cookie";
import { keepAliveFetch } from "./keep-alive-fetch";
import { byOwnClock } from "./own-clock";
import type { PersonOfPage } from "./page-person";
import { personFetch } from "./person-fetch";
import { renewalAnswer, urlOf } from "./renewal-answer";
import { holdsSession } from "./stored-session";
import { maySendFor } from "./token-person";

/**
 * Creates the tab's only client. Its session is stored in a cookie, so the server renders pages for
 * the same person. Another tab may replace that session at any time, so the client sends requests
 * only with tokens of the page's person.
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
    global: {
      fetch: personFetch(person, sessionFetch({ publishableKey, person }, keepAliveFetch())),
    },
    realtime: {
      async accessToken() {
        const { data } = await client.auth.getSession();
        const token = data.session?.access_token ?? publishableKey;
        // If this throws, channels continue with their current token.
        if (!maySendFor(person.id, token))
          throw new Error("The session belongs to another account");
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

/** Returns the database's response to an anonymous call of a function that requires a session. */
const withoutSession = (): Response =>
  Response.json(
    { code: "42501", message: "permission denied", hint: null, details: null },
    { status: 401 },
  );

/**
 * Creates a fetch that never sends a request of a person's page anonymously. Without a session the
 * client would send the request as anonymous, and the page would take the refusal as the answer to
 * its person.
 */
function sessionFetch(
  { publishableKey, person }: { publishableKey: string; person: PersonOfPage },
  ask: typeof fetch,
): typeof fetch {
  return async (input, init) => {
    const isAuth = urlOf(input).includes("/auth/v1/");
    if (!isAuth && isAnonymous(publishableKey, init)) {
      if (holdsSession(document.cookie))
        throw new TypeError("The session could not be renewed, so no request was sent.");
      // The person signed out. A page stays open for a moment after that, and its channels rejoin.
      if (person.id !== null) return withoutSession();
    }
    const answer = renewalAnswer(input, await ask(input, init));
    return isAuth ? byOwnClock(answer) : answer;
  };
}

/** Whether a request has no person's token. Functions get new API keys without `Bearer`. */
function isAnonymous(publishableKey: string, init?: RequestInit): boolean {
  const sent = new Headers(init?.headers).get("authorization");
  return sent === null || sent === `Bearer ${publishableKey}`;
}
