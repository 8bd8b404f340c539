import type { DocumentEventType } from "@/events/core/event-types";
import { descriptionOf, type ByType } from "@/events/core/recorded-body";
import type { Ruled } from "@/events/core/envelope";
import { quoteWords } from "@/components/comments/quote-words";

type ActionEvent = Pick<Ruled, "type" | "body" | "actorId">;

type Whose = (userId: string) => string;

/**
 * Of every type that stands in a document: what it did to the text that one has before one's eyes;
 * null for what is no such action.
 */
const actions: ByType<DocumentEventType, { actorId: string; whose: Whose }, string> = {
  "document.created": null,
  "document.renamed": null,
  "document.icon_set": null,
  "document.edited": null,
  "document.reverted": () => "restored an earlier moment. What stood here stays in the history.",
  "document.reworked": ({ kind, author, quote }, { actorId, whose }) =>
    kind === "author"
      ? `took back ${author === actorId ? "changes of their own" : `${whose(author ?? "")} changes`}. ` +
        "What was written stays in the history."
      : `took back a passage${quote ? `, “${quoteWords(quote)}”` : ""}. What stood there stays in the history.`,
  "document.forked": null,
  "document.merged": () =>
    "merged another document into this one. What stood here before stays in the history.",
  "document.imported": null,
  "document.step_imported": null,
  "document.redacted": () =>
    "redacted an edit. Its words are gone for good, also from the history.",
  "document.trashed": null,
  "document.restored": null,
  "version.named": null,
  "version.renamed": null,
  "version.pinned": null,
  "version.unpinned": null,
  "thread.opened": null,
  "thread.resolved": null,
  "thread.reopened": null,
  "comment.added": null,
  "comment.edited": null,
  "comment.deleted": null,
};

/**
 * What somebody did to the text at one stroke, as it follows their name and with what became of the
 * words; null for what is no such action. `whose` names a person as the owner of something: "Ben’s",
 * "your".
 */
export function actionWords(action: ActionEvent, whose: Whose): string | null {
  return descriptionOf(actions, action, { actorId: action.actorId, whose });
}
