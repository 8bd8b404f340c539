import type { DocumentEventType } from "@/events/core/event-types";
import { descriptionOf } from "@/events/core/recorded-body";
import type { ByType } from "@/events/core/recorded-body";
import type { Ruled } from "@/events/core/envelope";
import { quoteWords } from "@/components/comments/quote-words";

type ActionEvent = Pick<Ruled, "type" | "body" | "actorId">;

type Whose = (userId: string) => string;

/**
 * The predicate of each event type of a document, as a change of the visible text. Null for event
 * types that are not shown as actions.
 */
const actions: ByType<DocumentEventType, { actorId: string; whose: Whose }, string> = {
  "document.created": null,
  "document.renamed": null,
  "document.icon_set": null,
  "document.moved": null,
  "document.template_set": null,
  "document.edited": null,
  "document.reverted": () => "restored an earlier version. The text from before is in the history.",
  "document.reworked": ({ kind, author, quote }, { actorId, whose }) =>
    kind === "author"
      ? `reverted ${author === actorId ? "changes of their own" : `${whose(author ?? "")} changes`}. ` +
        "The text from before is in the history."
      : `reverted a passage${quote ? `, “${quoteWords(quote)}”` : ""}. The text from before is in the history.`,
  "document.forked": null,
  "document.merged": () =>
    "merged another document into this one. The text from before is in the history.",
  "document.imported": null,
  "document.step_imported": null,
  "document.redacted": () =>
    "redacted an edit. Its text is removed for good, also from the history.",
  "document.trashed": null,
  "document.restored": null,
  "document.purged": null,
  "file.attached": null,
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
 * Returns the predicate of an action on the text, with its effect on the words. Returns null for
 * other events. `whose` returns a person's possessive: "Ben’s", "your".
 */
export function actionWords(action: ActionEvent, whose: Whose): string | null {
  return descriptionOf(actions, action, { actorId: action.actorId, whose });
}
