import type { Dropped } from "@/events/log/log-merge";
import { sentence } from "@/events/log/refusal";
import type { OptimisticEvent } from "@/events/log/stream-rules";

/** What the user reads of a proposal that was refused; one that an earlier page made is called so. */
export function droppedWords(
  { proposal, refusal }: Pick<Dropped<OptimisticEvent>, "proposal" | "refusal">,
  pageBegan: number,
): string {
  const isEarlier = Date.parse(proposal.time) < pageBegan;
  return `${isEarlier ? "A change you made earlier couldn’t be saved. " : ""}${sentence(refusal)}`;
}
