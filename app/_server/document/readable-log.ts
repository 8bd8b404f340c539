import type { SupabaseClient } from "@supabase/supabase-js";
import { supabaseStore } from "@/events/log/store";

/** Whether this is a document whose log the client may read: a name for its channel is given to nobody else. */
export async function mayReadLog(client: SupabaseClient, document: string): Promise<boolean> {
  return (await supabaseStore(client).topic(document))?.startsWith("document:") ?? false;
}
