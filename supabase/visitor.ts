import {
  createClient,
  type RealtimeClientOptions,
  type SupabaseClient,
} from "@supabase/supabase-js";
import WebSocket from "ws";
import { environment } from "./environment";

type Transport = NonNullable<RealtimeClientOptions["transport"]>;

/** Makes a client that has no session yet and keeps none beyond its own life, as a visitor's browser would. */
export function visitorClient(): SupabaseClient {
  const { url, publishableKey } = environment();
  return createClient(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // The cast is for the event types, which `ws` declares apart from the DOM's.
    realtime: { transport: WebSocket as unknown as Transport },
  });
}
