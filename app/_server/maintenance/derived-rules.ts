import { faultOf } from "@/events/log/store";
import type { serviceClient } from "@/supabase/server";

/**
 * What is derived from the log and kept, and by which rule. A rule whose meaning changes gets the next number: what was
 * derived by an earlier one is then derived again.
 */
const rules = { lines: 2, search: 3 };

const asked = new Set<keyof typeof rules>();

/** Has everything derived again that an earlier rule derived; asks once for each process. */
export async function deriveByNewestRule(
  service: NonNullable<ReturnType<typeof serviceClient>>,
  kind: keyof typeof rules,
): Promise<void> {
  if (asked.has(kind)) return;
  const { error, status } = await service.rpc("derive_by", { kind, rule: rules[kind] });
  if (error) throw faultOf(error, status);
  asked.add(kind);
}
