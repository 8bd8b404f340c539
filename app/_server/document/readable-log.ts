import type { SupabaseClient } from "@supabase/supabase-js";
import { supabaseStore } from "@/events/log/store";

/** Whether the client may read this document's log. Only such a client gets a channel name. */
export async function mayReadLog(client: SupabaseClient, document: string): Promise<boolean> {
  return (await supabaseStore(client).topic(document))?.startsWith("document:") ?? false;
}
