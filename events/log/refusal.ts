import { refusalNames, refusalReasons } from "./refusal-reasons";
import type { RefusalName, RefusalReason, RefusingLimit } from "./refusal-reasons";

/**
 * A refused call: its name, a detail for people and, where the database gave one, the reason that a
 * client may branch on.
 */
export type Refusal = { name: RefusalName; reason?: RefusalReason; detail: string };

const isRefusalName = (name: unknown): name is RefusalName =>
  refusalNames.some((known) => known === name);

const isReason = (name: RefusalName, hint: unknown): hint is RefusalReason =>
  refusalReasons[name].some((known) => known === hint) ||
  (name === "too-large" && typeof hint === "string" && isRefusingLimit(hint));

/** Parses a PostgREST error. Returns null for a fault, which is not a refusal. */
export function parseRefusal(error: {
  message: string;
  details?: string | null;
  hint?: string | null;
}): Refusal | null {
  const { message: name, details, hint } = error;
  if (!isRefusalName(name)) return null;
  return { name, ...(isReason(name, hint) && { reason: hint }), detail: details ?? "" };
}

const sentences = {
  "version-conflict":
    "Somebody changed this while you did. Your change was not applied; look at the new state and try again.",
  "illegal-transition":
    "This is no longer possible in its present state. Nothing was changed; reload to see what is.",
  "not-permitted":
    "You may not do this here. Nothing was changed; what you typed stays on this device. Ask an owner for access.",
  "invalid-event":
    "This could not be recorded as it is. Nothing was changed; check what you entered and try again.",
  "too-large":
    "This is too large to be recorded in one piece. Nothing was changed; try a smaller piece.",
} satisfies Record<RefusalName, string>;

const full =
  "This document has reached its largest size. Your change was not added to it and " +
  "stays on this device; delete text that is no longer needed, or continue in a new " +
  "document.";
const ended =
  "The history of this document has reached its largest size. Your change was not " +
  "added to it and stays on this device; continue in a new document.";

const limitSentences: Record<RefusingLimit, string> = {
  payload_bytes: sentences["too-large"],
  document_bytes: full,
  document_pieces: full,
  document_history: ended,
  document_events: ended,
  document_clients: ended,
  document_talk:
    "This document has as many comments as it can hold. Your comment was not added; continue in a new document.",
  document_threads:
    "This document has as many threads as it can hold. Your comment was not added; reply " +
    "in a thread there is, or continue in a new document.",
  document_comments:
    "This document has as many comments as it can hold. Your comment was not added; continue in a new document.",
  document_versions:
    "This document has as many named versions as it can hold. No name was added; rename one that is no longer needed.",
  document_files:
    "This document has as many files as it can hold. The file was not added; continue in a new document.",
  document_children:
    "The document holds as many others as it can. Nothing was moved; choose another place.",
  document_levels:
    "Documents stand at most 64 levels deep. Nothing was moved; choose a place further up.",
  thread_comments:
    "This thread has as many comments as it can hold. Your comment was not added; start a new thread.",
  workspace_events:
    "The history of this workspace has reached its largest size. Nothing was changed; continue in a new workspace.",
  workspace_documents:
    "This workspace has as many documents as it can hold. No document was created; continue in a new workspace.",
  workspace_members:
    "This workspace has as many members as it can hold. Nobody was added; continue in a new workspace.",
  workspace_invitations:
    "This workspace has as many invitations as it can hold. No invitation was created; " +
    "share a link that is still open.",
  workspace_file_bytes:
    "The files of this workspace take all the room there is. The file was not added; add a smaller one.",
  account_file_bytes:
    "Your files take all the room that an account has. The file was not added; add a smaller one.",
  account_events: "The history of this account has reached its largest size. Nothing was recorded.",
  account_uploads:
    "Too many files of yours are on their way. The file was not added; try again when some have arrived.",
  account_workspaces:
    "This account has created as many workspaces as it can. No workspace was created; use one that there is.",
};

/** Sentences for reasons that are more specific than the name of their refusal. */
const reasonSentences: Partial<Record<RefusalReason, string>> = {
  "other-account":
    "Another account is signed in to this browser. Nothing was sent; your changes stay on this device until you sign in again.",
  "address-wrong": "This is not the address of your account. Nothing was deleted.",
  "account-deleted": "This account was deleted. Nothing was changed; sign up to begin anew.",
  "own-branch":
    "A document can’t stand inside itself. Nothing was moved; choose a place outside of it.",
  "parent-trashed":
    "That document was moved to the trash. Nothing was moved; choose another place or restore it first.",
  "branch-left":
    "Documents that stand in this one are still there. Nothing was deleted; delete those first.",
  "parent-missing": "That document is not in this workspace. Nothing was moved.",
  "sibling-missing": "That place is not in this workspace. Nothing was moved.",
  "no-room-between":
    "There is no more room between these two documents. Nothing was moved; choose another place.",
};

const isRefusingLimit = (name: string): name is RefusingLimit =>
  Object.hasOwn(limitSentences, name);

/** Returns one sentence for the user: what happened, what it means for the text, and what to do. */
export function sentence({ name, reason }: Pick<Refusal, "name" | "reason">): string {
  if (reason === undefined) return sentences[name];
  return isRefusingLimit(reason)
    ? limitSentences[reason]
    : (reasonSentences[reason] ?? sentences[name]);
}
