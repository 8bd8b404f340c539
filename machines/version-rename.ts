import { longestVersionName } from "@/events/core/text/text-lengths";
import { mergedTitle } from "@/events/core/text/merged-title";
import type { Refusal } from "@/events/log/refusal";

type Answer = { ok: true } | { ok: false; refusal: Refusal };

type Renaming = {
  /** Proposes a name in the place of another one. */
  propose: (name: string, replaces: string) => Promise<Answer>;
  /** The name that the log has now; null where there is no such version. */
  nameNow: () => Promise<string | null>;
};

/** How many conflicting renames are merged before the other name stands. */
const mostTries = 5;

/**
 * Renames a version. Where somebody else has renamed it since, both people's words are merged and the outcome is
 * proposed; what cannot be merged is refused, and the first name stands.
 */
export async function renameVersion(
  { propose, nameNow }: Renaming,
  name: string,
  replaces: string,
): Promise<Answer & { name: string }> {
  let [wanted, known] = [name, replaces];
  for (let tries = 1; ; tries += 1) {
    const answer = await propose(wanted, known);
    if (answer.ok || answer.refusal.reason !== "replaced-since" || tries === mostTries)
      return { ...answer, name: wanted };
    const recorded = await nameNow();
    const merged =
      recorded === null ? null : mergedTitle(known, wanted, recorded, longestVersionName);
    if (recorded === null || merged === null || merged === "") return { ...answer, name: wanted };
    if (merged === recorded) return { ok: true, name: recorded };
    [wanted, known] = [merged, recorded];
  }
}
