import { faultOf } from "@/events/log/store";
import type { serviceClient } from "@/supabase/server";

/**
 * The version of the rule by which each kind of data is derived from the log. Increment it when a
 * rule changes its meaning: all data of an earlier version is then derived again.
 */
const rules = { lines: 2, search: 3 };

const asked = new Set<keyof typeof rules>();

/** Marks all data of an earlier rule to be derived again. Runs once per process. */
export async function deriveByNewestRule(
  service: NonNullable<ReturnType<typeof serviceClient>>,
  kind: keyof typeof rules,
): Promise<void> {
  if (asked.has(kind)) return;
  const { error, status } = await service.rpc("derive_by", { kind, rule: rules[kind] });
  if (error) throw faultOf(error, status);
  asked.add(kind);
}
