import type { EventType } from "@/events/core/event-types";
import { linesOfWorkspace, shownLines } from "@/events/read-models/change-lines";
import type { ChangeLine } from "@/events/read-models/change-lines";
import { documentsOf } from "@/events/read-models/document-rows";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { openInvitations } from "@/events/read-models/invitation-rows";
import type { InvitationRow } from "@/events/read-models/invitation-rows";
import { recentChanges } from "@/events/read-models/last-changes";
import type { LastChange } from "@/events/read-models/last-changes";
import { membersOf } from "@/events/read-models/member-rows";
import type { MemberRow } from "@/events/read-models/member-rows";
import { readPersonal } from "@/events/read-models/personal";
import type { Personal } from "@/events/read-models/personal";
import type { Rows } from "@/events/read-models/rows";
import { myWorkspaces, workspaceById } from "@/events/read-models/workspace-rows";
import type { WorkspaceRow } from "@/events/read-models/workspace-rows";
import { readWorkspaceWindow } from "@/events/read-models/workspace-window";
import type { WorkspaceRest } from "@/events/read-models/workspace-window";
import { mayEmit } from "@/machines/catalog";
import { seesEverything } from "@/machines/history-visibility";
import type { Person } from "@/events/read-models/person";
import type { Clock } from "@/components/ui/time/use-clock";

/**
 * A workspace as the server rendered it, with the first rows of long lists. `workspace` was read
 * before the other rows, so its version never exceeds theirs.
 */
export type WorkspaceSnapshot = {
  me: Person;
  workspace: WorkspaceRow;
  workspaces: readonly { id: string; name: string }[];
  members: readonly MemberRow[];
  invitations: readonly InvitationRow[];
  documents: readonly DocumentRow[];
  /** The sizes of the lists' missing parts, or null if the lists are complete. */
  rest: WorkspaceRest | null;
  /** The last event and the activity of each document, by id. */
  changes: Readonly<Record<string, LastChange>>;
  /** The lines of changes in each document, or null if none are shown. */
  lines: Readonly<Record<string, readonly ChangeLine[]>> | null;
  /** The reader's own state. */
  personal: Personal;
  clock: Clock;
  /** The event types that the law allows the reader now, for any subject in the matching phase. */
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

/** Types that only the live parts of a page check. */
type OfferedLive = Extract<EventType, "thread.opened" | "document.merged">;

/** The event types that a page checks before it offers them. Any other type does not compile. */
export type OfferedType = (typeof offered)[number][1] | OfferedLive;

/**
 * Reads a workspace for server rendering for one of its members. Returns the first rows of each
 * list, with the branch of the document `here` or, without `here`, the lines of changes. Returns
 * null if the workspace does not exist for this reader.
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

/**
 * Reads all rows of a workspace whose first rows a page has. Returns null if the reader has lost
 * access.
 */
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
