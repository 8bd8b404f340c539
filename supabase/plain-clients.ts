import { createClient } from "@supabase/supabase-js";
import type { RealtimeClientOptions, SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { environment } from "./environment";

type Transport = NonNullable<RealtimeClientOptions["transport"]>;

// Node 20 has no WebSocket, which supabase-js requires. The cast is needed because `ws` declares
// event types different from the DOM's; supabase-js documents `ws` for Node.
export const realtime = { transport: WebSocket as unknown as Transport };

/**
 * Retries a request once after a network error. A thread that worked for longer than the keep-alive
 * timeout only learns on its next request that the connection is closed. All requests it makes are
 * safe to repeat.
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
 * Creates a client with the service key, which bypasses row-level security; null without a secret
 * key. `again` retries requests, for long-running threads.
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
 * Creates a client for an access token, while that is valid; for a thread, which has no request
 * cookies.
 */
export function tokenClient(token: string): SupabaseClient {
  const { url, publishableKey } = environment();
  return createClient(url, publishableKey, {
    accessToken: () => Promise.resolve(token),
    realtime,
    global: { fetch: askedAgain },
  });
}
