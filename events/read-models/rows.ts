import type { SupabaseClient } from "@supabase/supabase-js";

/**
 * The reading part of a Supabase client. The projections beside the log are read under the reader's
 * own rights, so rows that the reader may not see are absent. The same functions serve server
 * components and the browser.
 */
export type Rows = Pick<SupabaseClient, "from" | "rpc">;
