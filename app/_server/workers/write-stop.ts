import type { SupabaseClient } from "@supabase/supabase-js";
import { StoreFault } from "@/events/log/store";

/**
 * Records that a document could not be folded beyond a version in the available time, so that the
 * fold is not tried again for a while. Needs the service's client.
 */
export async function writeStop(
  client: SupabaseClient,
  document: string,
  version: number,
): Promise<void> {
  const { error, status } = await client.rpc("write_stop", { stream: document, version });
  if (error) throw new StoreFault(error.message, status);
}
