import type { Absence } from "@/events/analysis/catch-up";
import { countedWords } from "../model/analysis-words";

const list = new Intl.ListFormat("en-GB");
const mostNamed = 3;

function actionOf({ words, edits, comments }: Absence): string {
  if (words > 0) return `wrote about ${countedWords(words)}`;
  if (edits > 0) return "changed the text";
  return comments > 0 ? "commented" : "changed something about it";
}

/** Describes the changes by others: "Ben wrote about 24 words and Carol changed the text." */
export function absenceWords(
  absence: readonly Absence[],
  nameOf: (userId: string) => string,
): string {
  const named = absence
    .slice(0, mostNamed)
    .map((each) => `${nameOf(each.actorId)} ${actionOf(each)}`);
  const others = absence.length - named.length;
  if (others > 0)
    named.push(others === 1 ? "one more person changed it" : `${others} more people changed it`);
  return `${list.format(named)}.`;
}
