import { createClient } from "@supabase/supabase-js";
import type { RealtimeClientOptions, SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { environment } from "./environment";

type Transport = NonNullable<RealtimeClientOptions["transport"]>;

/** Creates a client that has no session and stores none, like a first-time visitor's. */
export function visitorClient(): SupabaseClient {
  const { url, publishableKey } = environment();
  return createClient(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // The cast is needed because `ws` declares event types different from the DOM's.
    realtime: { transport: WebSocket as unknown as Transport },
  });
}
