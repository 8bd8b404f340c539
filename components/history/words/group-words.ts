import type { ExcerptRun, GroupChange } from "@/events/analysis/group-change";
import { numberWords } from "@/events/core/text/number-words";

/**
 * The words that a burst added and deleted: "24 words in, 3 out"; null when it was no whole word.
 */
export function groupWords({
  wordsIn,
  wordsOut,
}: Pick<GroupChange, "wordsIn" | "wordsOut">): string | null {
  if (wordsIn === 0 && wordsOut === 0) return null;
  const came = `${numberWords(wordsIn)} ${wordsIn === 1 ? "word" : "words"} in`;
  return wordsOut === 0 ? came : `${came}, ${numberWords(wordsOut)} out`;
}

/**
 * The same with the words themselves, for screen readers: "2 words in, 1 out: added “one click”;
 * struck “hidden”"; null when the text did not change.
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
