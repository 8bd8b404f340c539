import type { Ruled } from "@/events/core/envelope";
import { quoteWords } from "@/components/comments/quote-words";

type Deed = Pick<Ruled, "type" | "body" | "actorId">;

function field({ body }: Pick<Deed, "body">, name: string): string {
  const value =
    typeof body === "object" && body !== null && !Array.isArray(body) ? body[name] : null;
  return typeof value === "string" ? value : "";
}

/**
 * What somebody did to the text at one stroke, as it follows their name and with what became of the words; null for what is
 * no such deed. `whose` names a person as the owner of something: "Ben’s", "your".
 */
export function deedWords(deed: Deed, whose: (userId: string) => string): string | null {
  switch (deed.type) {
    case "document.reverted":
      return "restored an earlier moment. What stood here stays in the history.";
    case "document.reworked": {
      if (field(deed, "kind") !== "author")
        return `took back a passage${field(deed, "quote") ? `, “${quoteWords(field(deed, "quote"))}”` : ""}. What stood there stays in the history.`;
      const author = field(deed, "author");
      return `took back ${author === deed.actorId ? "changes of their own" : `${whose(author)} changes`}. What was written stays in the history.`;
    }
    case "document.merged":
      return "merged another document into this one. What stood here before stays in the history.";
    case "document.redacted":
      return "redacted an edit. Its words are gone for good, also from the history.";
    default:
      return null;
  }
}
