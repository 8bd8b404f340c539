import {
  createClient,
  type RealtimeClientOptions,
  type SupabaseClient,
} from "@supabase/supabase-js";
import WebSocket from "ws";
import { environment } from "./environment";

type Transport = NonNullable<RealtimeClientOptions["transport"]>;

// Node 20 has no WebSocket of its own, and the client refuses to be made without one. The cast is for the event types,
// which `ws` declares apart from the DOM's; at run time its socket is the one that supabase-js documents for Node.
export const realtime = { transport: WebSocket as unknown as Transport };

/**
 * Asks once more where the way was gone. A thread that has worked for longer than a server keeps a
 * connection open learns only when it asks that there is none any more; whatever it asks may be
 * asked twice.
 */
async function askedAgain(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    return fetch(input, init);
  }
}

/**
 * Makes a client with the service key, which passes by every policy; null where the project's
 * secret is not known. `again`: for a thread that works long.
 */
export function secretClient(again = false): SupabaseClient | null {
  const { url, secretKey } = environment();
  if (!secretKey) return null;
  return createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime,
    ...(again && { global: { fetch: askedAgain } }),
  });
}

/**
 * Makes a client that acts by an access token, for as long as that holds; for a thread, which has
 * no request's cookies.
 */
export function tokenClient(token: string): SupabaseClient {
  const { url, publishableKey } = environment();
  return createClient(url, publishableKey, {
    accessToken: () => Promise.resolve(token),
    realtime,
    global: { fetch: askedAgain },
  });
}
