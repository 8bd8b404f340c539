import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { parseRefusal, type Refusal } from "@/events/log/refusal";
import { faultOf } from "@/events/log/store";

const answered = z.object({ deleted: z.boolean(), left: z.int() });
type Deletion = z.infer<typeof answered> | { refusal: Refusal };

/** What the database says of a transaction that it ended because another one and it waited for each other. */
const deadlock = "40P01";
const mostAttempts = 4;

/**
 * Goes on deleting the account of whoever asks. It may run into what a tab of theirs writes at this
 * moment: then nothing of it is done, and it is tried again.
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
