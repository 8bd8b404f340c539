import type { Happening } from "@/events/read-models/activity";
import { roleWords } from "@/components/sharing/role-words";
import { isolated } from "@/events/core/isolated";

const text = (value: unknown) => (typeof value === "string" ? value : "");

function roleOf(body: Happening["body"]): string {
  const known = Object.entries(roleWords).find(([role]) => role === body.role);
  return known ? known[1].label : "something else";
}

const seen = (grade: unknown) => (grade === "versions" ? "sees named versions" : "sees everything");

/** What was done, as it follows the name of who did it; `who` names the member it was done to, `document` is the title of the one it is about now. */
export function activityWords(
  { type, body, count, subjectId, actorId }: Happening,
  who: (userId: string) => string,
  document: string,
): { before: string; link: string | null; after: string } {
  const said = (before: string) => ({ before, link: null, after: "" });
  const about = (before: string, after = "", title = document) => ({
    before,
    link: title || "Untitled",
    after,
  });
  switch (type) {
    case "workspace.created":
      return said("created this workspace");
    case "workspace.renamed":
      return said(`renamed this workspace to “${isolated(text(body.name))}”`);
    case "workspace.history_graded":
      return said(
        `set who sees how texts were written: who can read ${seen(body.viewer)}, who can comment ${seen(body.commenter)}`,
      );
    case "member.joined":
      return said(`joined and ${roleOf(body)}`);
    case "member.role_changed":
      return said(`changed the role of ${who(subjectId)}: ${roleOf(body)}`);
    case "member.removed":
      return said(`removed ${who(subjectId)}`);
    case "member.left":
      return said("left");
    case "invitation.created":
      return said(
        body.kind === "link"
          ? `made a link for people who ${roleOf(body)}`
          : `invited ${isolated(text(body.email))}, who ${roleOf(body)}`,
      );
    case "invitation.accepted":
      return said("accepted an invitation");
    case "invitation.declined":
      return said("declined an invitation");
    case "invitation.revoked":
      return said("revoked an invitation");
    case "document.created":
      return about("began");
    case "document.renamed":
      return about("named a document", "", text(body.title));
    case "document.edited":
      return about("wrote in", count > 1 ? `, ${count} saves` : "");
    case "document.trashed":
      return about("moved", " to trash");
    case "document.restored":
      return about("took", " out of the trash");
    case "document.redacted":
      return about("redacted an edit of");
    case "document.imported":
    case "document.step_imported":
      return about("imported", " from a file");
    case "document.reverted":
      return about("restored an earlier moment of");
    case "document.reworked":
      return body.kind === "author"
        ? about(
            text(body.author) === actorId
              ? "took back changes of their own in"
              : `took back changes of ${who(text(body.author))} in`,
          )
        : about("took back a passage of");
    case "document.forked":
      return about("forked a document into");
    case "document.merged":
      return about("merged another document into");
    case "version.named":
      return about(`named a version “${isolated(text(body.name))}” of`);
    case "version.renamed":
      return about(`renamed a version to “${isolated(text(body.name))}” of`);
    case "version.pinned":
      return about("pinned a version of");
    case "version.unpinned":
      return about("unpinned a version of");
    case "thread.opened":
      return about("commented on");
    case "comment.added":
      return about("commented in");
    case "thread.resolved":
      return about("resolved a discussion in");
    case "thread.reopened":
      return about("reopened a discussion in");
    case "comment.edited":
      return about("edited a comment in");
    case "comment.deleted":
      return about("deleted a comment in");
    default:
      // An event of a newer version of the product is shown as something that happened, not hidden.
      return actorId === subjectId
        ? said("did something that this version cannot name")
        : said("changed something");
  }
}
