import type { SupabaseClient } from "@supabase/supabase-js";

/**
 * The part of a Supabase client that reads. The tables that append keeps beside the log are read
 * under the reader's own rights: what the law forbids to see is simply not there. The same
 * functions serve server components and the browser.
 */
export type Rows = Pick<SupabaseClient, "from" | "rpc">;
