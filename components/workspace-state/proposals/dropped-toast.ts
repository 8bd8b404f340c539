import type { Dropped } from "@/events/log/log-merge";
import { sentence } from "@/events/log/refusal";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { isolated } from "@/events/core/text/isolated";
import type { Toast } from "@/components/ui/toast-cards";

type Offer = { words: string; label: string; instead: string };

/**
 * Returns the message about a title or icon that another person changed at the same time. Its
 * action sets the person's own value.
 */
function offerOf({ type, body }: OptimisticEvent): Offer | null {
  if (type === "document.renamed")
    return {
      words: `Somebody else changed the title while you typed “${isolated(body.title)}”.`,
      label: "Use your title",
      instead: "Type it into the title again",
    };
  if (type === "document.icon_set")
    return {
      words:
        body.emoji === null
          ? "Somebody else changed the icon while you removed it."
          : `Somebody else changed the icon while you chose ${body.emoji}.`,
      label: body.emoji === null ? "Remove the icon" : "Use your icon",
      instead: "Choose it again above the title",
    };
  return null;
}

/**
 * Returns the toast for a refused proposal. If an earlier page made the proposal, the toast says
 * so. `propose` sets the person's own value over the other person's.
 */
export function droppedToast(
  { proposal, refusal }: Pick<Dropped<OptimisticEvent>, "proposal" | "refusal">,
  pageBegan: number,
  propose: (proposal: OptimisticEvent) => void,
): Toast {
  const isEarlier = Date.parse(proposal.time) < pageBegan;
  const offer = refusal.reason === "replaced-since" ? offerOf(proposal) : null;
  const words = offer?.words ?? sentence(refusal);
  return {
    text: `${isEarlier ? "A change you made earlier couldn’t be saved. " : ""}${words}`,
    ...(offer !== null && {
      action: { label: offer.label, instead: offer.instead, onAct: () => propose(proposal) },
    }),
  };
}
