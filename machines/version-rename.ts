import { longestVersionName } from "@/events/core/text/text-lengths";
import { mergedTitle } from "@/events/core/text/merged-title";
import type { Refusal } from "@/events/log/refusal";

type Answer = { ok: true } | { ok: false; refusal: Refusal };

type Renaming = {
  /** Proposes a name that replaces `replaces`. */
  propose: (name: string, replaces: string) => Promise<Answer>;
  /** Resolves to the name in the log, or null if the version does not exist. */
  nameNow: () => Promise<string | null>;
};

/** Maximum number of proposals, after which the recorded name remains. */
const mostTries = 5;

/**
 * Renames a version. If another person has renamed it meanwhile, proposes a merge of both names. If
 * the names cannot be merged, the rename is refused and the recorded name remains.
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
