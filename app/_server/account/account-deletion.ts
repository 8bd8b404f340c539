import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { parseRefusal } from "@/events/log/refusal";
import type { Refusal } from "@/events/log/refusal";
import { faultOf } from "@/events/log/store";

const answered = z.object({ deleted: z.boolean(), left: z.int() });
type Deletion = z.infer<typeof answered> | { refusal: Refusal };

/** PostgreSQL's SQLSTATE for `deadlock_detected`: the transaction was rolled back. */
const deadlock = "40P01";
const mostAttempts = 4;

/**
 * Deletes the caller's account. Retries on a deadlock, which a concurrent write from another tab of
 * the caller can cause. A deadlocked attempt leaves no changes.
 */
export async function deleteAccount(client: SupabaseClient, address: string): Promise<Deletion> {
  for (let attempt = 1; ; attempt += 1) {
    const { data, error, status } = await client.rpc("delete_account", { address });
    if (!error) return answered.parse(data);
    const refusal = parseRefusal(error);
    if (refusal) return { refusal };
    if (error.code !== deadlock || attempt === mostAttempts) throw faultOf(error, status);
  }
}
