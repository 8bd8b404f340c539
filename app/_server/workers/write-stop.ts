import type { SupabaseClient } from "@supabase/supabase-js";
import { StoreFault } from "@/events/log/store";

/**
 * Keeps that a document could not be folded behind a version in the time that there is: nobody
 * tries again for a while. The client must be the service's.
 */
export async function writeStop(
  client: SupabaseClient,
  document: string,
  version: number,
): Promise<void> {
  const { error, status } = await client.rpc("write_stop", { stream: document, version });
  if (error) throw new StoreFault(error.message, status);
}
