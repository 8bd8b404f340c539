import { createClient } from "@supabase/supabase-js";
import type { RealtimeClientOptions, SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { environment } from "./environment";

type Transport = NonNullable<RealtimeClientOptions["transport"]>;

// Node 20 has no WebSocket, which supabase-js requires. supabase-js documents `ws` for Node. The
// cast is needed because `ws` declares event types different from the DOM's.
export const realtime = { transport: WebSocket as unknown as Transport };

/**
 * Retries a request once after a network error. A thread that worked for longer than the keep-alive
 * timeout notices only on its next request that the connection is closed. All requests of the
 * thread are safe to repeat.
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
 * Creates a client with the service key, which bypasses row-level security. Returns null without a
 * secret key. `again` retries requests, for long-running threads.
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
 * Creates a client for an access token, which works while the token is valid. For threads, which
 * have no request cookies.
 */
export function tokenClient(token: string): SupabaseClient {
  const { url, publishableKey } = environment();
  return createClient(url, publishableKey, {
    accessToken: () => Promise.resolve(token),
    realtime,
    global: { fetch: askedAgain },
  });
}
