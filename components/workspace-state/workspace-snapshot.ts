import type { EventType } from "@/events/core/event-types";
import { linesOfWorkspace, shownLines, type ChangeLine } from "@/events/read-models/change-lines";
import { documentsOf, type DocumentRow } from "@/events/read-models/document-rows";
import { openInvitations, type InvitationRow } from "@/events/read-models/invitation-rows";
import { recentChanges, type LastChange } from "@/events/read-models/last-changes";
import { membersOf, type MemberRow } from "@/events/read-models/member-rows";
import { readPersonal, type Personal } from "@/events/read-models/personal";
import type { Rows } from "@/events/read-models/rows";
import {
  myWorkspaces,
  workspaceById,
  type WorkspaceRow,
} from "@/events/read-models/workspace-rows";
import { readWorkspaceWindow, type WorkspaceRest } from "@/events/read-models/workspace-window";
import { mayEmit } from "@/machines/catalog";
import { seesEverything } from "@/machines/history-visibility";
import type { Person } from "@/events/read-models/person";
import type { Clock } from "@/components/ui/time/use-clock";

/**
 * A workspace as the server rendered it: of long lists the first rows. `workspace` was read before the rest, so that its version
 * promises no more than they hold.
 */
export type WorkspaceSnapshot = {
  me: Person;
  workspace: WorkspaceRow;
  workspaces: readonly { id: string; name: string }[];
  members: readonly MemberRow[];
  invitations: readonly InvitationRow[];
  documents: readonly DocumentRow[];
  /** How much of the lists is not here; null where they are whole. */
  rest: WorkspaceRest | null;
  /** What happened last in each document, and how busy it was, by document id. */
  changes: Readonly<Record<string, LastChange>>;
  /** Lines that say what changed in each document; null where none are shown. */
  lines: Readonly<Record<string, readonly ChangeLine[]>> | null;
  /** What the reader keeps for themselves. */
  personal: Personal;
  clock: Clock;
  /** The event types that the law allows the reader now, about whatever is in the phase for them. */
  allowed: readonly EventType[];
};

const offered = [
  ["active", "workspace.renamed"],
  ["active", "workspace.history_graded"],
  ["active", "member.role_changed"],
  ["active", "member.removed"],
  ["active", "member.left"],
  ["absent", "invitation.created"],
  ["open", "invitation.revoked"],
  ["absent", "document.created"],
  ["live", "document.edited"],
  ["live", "document.renamed"],
  ["live", "document.icon_set"],
  ["live", "document.moved"],
  ["live", "document.template_set"],
  ["live", "document.reverted"],
  ["absent", "file.attached"],
  ["live", "document.trashed"],
  ["trashed", "document.restored"],
  ["trashed", "document.purged"],
] as const satisfies readonly (readonly [string, EventType])[];

/** Asked about only by what is shown once the page is live. */
type OfferedLive = Extract<EventType, "thread.opened" | "document.merged">;

/** The event types that a page asks about before it offers them; any other one does not compile. */
export type OfferedType = (typeof offered)[number][1] | OfferedLive;

/**
 * Reads what the server renders of a workspace for one of its members: the first rows of each list, with the branch
 * of the document `here`, or (undefined) with the lines that say what changed in documents. Null when there is no
 * workspace, or none for this reader.
 */
export async function readWorkspace(
  rows: Rows,
  id: string,
  userId: string,
  clock: Clock,
  here?: string,
): Promise<WorkspaceSnapshot | null> {
  const workspace = await workspaceById(rows, id);
  if (!workspace) return null;
  const withLines = here === undefined;
  const [window, changes, lines] = await Promise.all([
    readWorkspaceWindow(rows, id, here ?? null),
    recentChanges(rows, id),
    withLines ? linesOfWorkspace(rows, id) : [],
  ]);
  const shown = new Set(window.documents.map((document) => document.id));
  const own = window.members.find((member) => member.userId === userId);
  const me = {
    userId,
    name: own?.name ?? "",
    color: own?.color ?? 0,
    picture: own?.picture ?? null,
  };
  const role = own?.phase === "active" ? own.role : null;
  const allowed = offered.flatMap(([phase, type]) =>
    mayEmit(type, { phase, role, isSelf: true, isAuthor: false }) ? [type] : [],
  );
  return {
    me,
    workspace,
    ...window,
    changes: Object.fromEntries(Object.entries(changes).filter(([each]) => shown.has(each))),
    lines:
      withLines && role !== null && seesEverything(role, workspace.history)
        ? shownLines(
            lines.filter(({ documentId }) => shown.has(documentId)),
            userId,
            (document) => window.personal.unread[document] ?? null,
          )
        : null,
    clock,
    allowed,
  };
}

/** Reads all rows of a workspace of which a page has the first ones; null when its reader may not see it any more. */
export async function readWholeWorkspace(
  rows: Rows,
  snapshot: WorkspaceSnapshot,
): Promise<WorkspaceSnapshot | null> {
  const { id } = snapshot.workspace;
  const workspace = await workspaceById(rows, id);
  if (!workspace) return null;
  const [workspaces, members, invitations, documents, changes, personal] = await Promise.all([
    myWorkspaces(rows, snapshot.me.userId),
    membersOf(rows, id),
    openInvitations(rows, id),
    documentsOf(rows, id),
    recentChanges(rows, id),
    readPersonal(rows, id),
  ]);
  const read = { workspace, workspaces, members, invitations, documents, changes, personal };
  return { ...snapshot, ...read, rest: null };
}
