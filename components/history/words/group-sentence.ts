import type { ExcerptRun, GroupChange } from "@/events/analysis/group-change";

const longest = 60;

/** Returns the inserted or deleted words, shortened at a space if possible. */
function quotedRuns(change: Pick<GroupChange, "excerpt">, state: ExcerptRun["state"]): string {
  const text = change.excerpt
    .filter((run) => run.state === state)
    .map((run) => run.text)
    .join(" … ")
    .replace(/\s+/g, " ")
    .trim();
  if (text.length <= longest) return text;
  const cut = [...text].slice(0, longest).join("");
  return `${cut.replace(/\s\S*$/, "")} …`;
}

/** A part of a sentence. Quoted parts are user content. */
type SentencePart = { text: string; quoted: boolean };

/** Describes a burst as a predicate: deleted “closed” and wrote “14 to 17”. */
export function groupSentence(change: Pick<GroupChange, "excerpt">): SentencePart[] {
  const [came, gone] = [quotedRuns(change, "new"), quotedRuns(change, "gone")];
  const part = (verb: string, text: string): SentencePart[] => [
    { text: verb, quoted: false },
    { text, quoted: true },
  ];
  return [
    ...(gone === "" ? [] : part("deleted ", gone)),
    ...(gone === "" || came === "" ? [] : [{ text: " and ", quoted: false }]),
    ...(came === "" ? [] : part("wrote ", came)),
  ];
}
