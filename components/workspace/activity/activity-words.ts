import type { EventType } from "@/events/core/event-types";
import { descriptionOf } from "@/events/core/recorded-body";
import type { ByType } from "@/events/core/recorded-body";
import { entryOf } from "@/events/core/table-entry";
import type { Happening } from "@/events/read-models/activity";
import { roleWords } from "@/components/sharing/role-words";
import { isolated } from "@/events/core/text/isolated";

/** A predicate with the document's title as a link. */
type Sentence = { before: string; link: string | null; after: string };
/** The facts besides the event's body: its subject, and the current title of the document. */
type About = Pick<Happening, "count" | "subjectId" | "actorId"> & {
  who: (userId: string) => string;
  document: string;
  /** Returns the title of another document, or null if it is unknown. */
  titleOf: (documentId: string) => string | null;
};

function roleOf({ role = "" }: { role?: string }): string {
  return entryOf(roleWords, role)?.label ?? "something else";
}

const seen = (visibility = "") =>
  visibility === "versions" ? "sees named versions" : "sees everything";
const name = (text = "") => `“${isolated(text)}”`;
const sentence = (before: string): Sentence => ({ before, link: null, after: "" });
const about = (before: string, title: string, after = ""): Sentence => ({
  before,
  link: title || "Untitled",
  after,
});
const ofDocument =
  (before: string, after = "") =>
  (_body: object, { document }: About) =>
    about(before, document, after);

const sentences: ByType<EventType, About, Sentence> = {
  // Only the owner may read an account's stream, so these types never appear.
  "account.created": null,
  "account.profile_changed": null,
  "account.picture_set": null,
  "auth.signed_in": null,
  "auth.signed_out": null,
  "auth.token_refreshed": null,
  "auth.password_recovery": null,
  "auth.user_updated": null,
  "account.deleted": null,
  "workspace.created": () => sentence("created this workspace"),
  "workspace.renamed": (body) => sentence(`renamed this workspace to ${name(body.name)}`),
  "workspace.history_graded": ({ viewer, commenter }) =>
    sentence(
      `set who sees how texts were written: who can read ${seen(viewer)}, who can comment ${seen(commenter)}`,
    ),
  "member.joined": (body) => sentence(`joined and ${roleOf(body)}`),
  "member.role_changed": (body, { who, subjectId }) =>
    sentence(`changed the role of ${who(subjectId)}: ${roleOf(body)}`),
  "member.removed": (_body, { who, subjectId }) => sentence(`removed ${who(subjectId)}`),
  "member.left": () => sentence("left"),
  "invitation.created": (body) =>
    sentence(
      body.kind === "link"
        ? `made a link for people who ${roleOf(body)}`
        : `invited ${isolated(body.email ?? "")}, who ${roleOf(body)}`,
    ),
  "invitation.accepted": () => sentence("accepted an invitation"),
  "invitation.declined": () => sentence("declined an invitation"),
  "invitation.revoked": () => sentence("revoked an invitation"),
  "document.created": ofDocument("began"),
  "document.renamed": ({ title = "" }) => about("named a document", title),
  "document.icon_set": ({ emoji }, { document }) =>
    emoji
      ? about("set the icon of", document, ` to ${emoji}`)
      : about("removed the icon of", document),
  "document.moved": ({ parent = null }, { document, titleOf }) => {
    const into = parent === null ? null : titleOf(parent);
    if (parent === null) return about("moved", document, " among the documents");
    return about(
      "moved",
      document,
      into === null ? " into another" : ` into ${name(into || "Untitled")}`,
    );
  },
  "document.template_set": ({ template }, { document }) =>
    template
      ? about("made a template of", document)
      : about("took", document, " from the templates"),
  "document.purged": () => sentence("deleted a document permanently"),
  "document.edited": (_body, { count, document }) =>
    about("wrote in", document, count > 1 ? `, ${count} saves` : ""),
  "document.trashed": ofDocument("moved", " to trash"),
  "document.restored": ofDocument("restored", " from the trash"),
  "document.redacted": ofDocument("redacted an edit of"),
  "document.imported": ofDocument("imported", " from a file"),
  "document.step_imported": ofDocument("imported", " from a file"),
  "document.reverted": ofDocument("restored an earlier moment of"),
  "document.reworked": ({ kind, author }, { actorId, who, document }) => {
    if (kind !== "author") return about("took back a passage of", document);
    const whose = author === actorId ? "their own" : who(author ?? "");
    return about(`took back changes of ${whose} in`, document);
  },
  "document.forked": ofDocument("forked a document into"),
  "document.merged": ofDocument("merged another document into"),
  "file.attached": (body, { document }) => about(`added ${name(body.name)} to`, document),
  "version.named": (body, { document }) => about(`named a version ${name(body.name)} of`, document),
  "version.renamed": (body, { document }) =>
    about(`renamed a version to ${name(body.name)} of`, document),
  "version.pinned": ofDocument("pinned a version of"),
  "version.unpinned": ofDocument("unpinned a version of"),
  "thread.opened": ofDocument("commented on"),
  "thread.resolved": ofDocument("resolved a discussion in"),
  "thread.reopened": ofDocument("reopened a discussion in"),
  "comment.added": ofDocument("commented in"),
  "comment.edited": ofDocument("edited a comment in"),
  "comment.deleted": ofDocument("deleted a comment in"),
};

/**
 * Returns the predicate of an event. `who` names the affected member, and `document` is the current
 * title of the event's document.
 */
export function activityWords(
  happening: Happening,
  who: (userId: string) => string,
  document: string,
  titleOf: (documentId: string) => string | null = () => null,
): Sentence {
  const { count, subjectId, actorId } = happening;
  return (
    descriptionOf(sentences, happening, { count, subjectId, actorId, who, document, titleOf }) ??
    // An event type of a newer version is shown in general words.
    (actorId === subjectId
      ? sentence("did something that this version cannot name")
      : sentence("changed something"))
  );
}
