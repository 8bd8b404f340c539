import { longestVersionName } from "@/events/core/text/text-lengths";
import { mergedTitle } from "@/events/core/text/merged-title";
import type { Refusal } from "@/events/log/refusal";

type Answer = { ok: true } | { ok: false; refusal: Refusal };

type Renaming = {
  /** Proposes a name that replaces another one. */
  propose: (name: string, replaces: string) => Promise<Answer>;
  /** The name in the log now; null if the version does not exist. */
  nameNow: () => Promise<string | null>;
};

/** Maximum proposals before the recorded name stands. */
const mostTries = 5;

/**
 * Renames a version. If another person has renamed it meanwhile, both names are merged and the
 * result is proposed. If they cannot be merged, the rename is refused and the recorded name stands.
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
