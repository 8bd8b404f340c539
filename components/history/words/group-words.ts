import type { ExcerptRun, GroupChange } from "@/events/analysis/group-change";
import { numberWords } from "@/events/core/text/number-words";

/** Formats the counts of a burst: "24 words in, 3 out". Returns null without a whole word. */
export function groupWords({
  wordsIn,
  wordsOut,
}: Pick<GroupChange, "wordsIn" | "wordsOut">): string | null {
  if (wordsIn === 0 && wordsOut === 0) return null;
  const came = `${numberWords(wordsIn)} ${wordsIn === 1 ? "word" : "words"} in`;
  return wordsOut === 0 ? came : `${came}, ${numberWords(wordsOut)} out`;
}

/**
 * Describes a burst to screen readers, with its text: "2 words in, 1 out: added “one click”; struck
 * “hidden”". Returns null if the text did not change.
 */
export function spokenChange(change: Omit<GroupChange, "block" | "moved">): string | null {
  const textOf = (state: ExcerptRun["state"]) =>
    change.excerpt
      .flatMap((run) =>
        run.state === state && run.text.trim() !== "" ? [`“${run.text.trim()}”`] : [],
      )
      .join(", ");
  const [came, gone] = [textOf("new"), textOf("gone")];
  const facts = [
    ...(came === "" ? [] : [`added ${came}`]),
    ...(gone === "" ? [] : [`struck ${gone}`]),
  ].join("; ");
  if (facts === "") return null;
  const counts = groupWords(change);
  return counts === null ? facts : `${counts}: ${facts}`;
}
