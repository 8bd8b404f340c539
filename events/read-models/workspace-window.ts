import * as z from "zod/mini";
import { rowsAtATime } from "@/events/core/pages";
import { sorted } from "@/events/log/paged-rows";
import { faultOf } from "@/events/log/store";
import { documentRow } from "./document-rows";
import type { DocumentRow } from "./document-rows";
import { invitationRow } from "./invitation-rows";
import type { InvitationRow } from "./invitation-rows";
import { memberRow } from "./member-rows";
import type { MemberRow } from "./member-rows";
import { noPersonal, personal } from "./personal";
import type { Personal } from "./personal";
import type { Rows } from "./rows";
import { namedWorkspace } from "./workspace-rows";
import type { NamedWorkspace } from "./workspace-rows";

const place = z.object({
  id: z.string(),
  level: z.int(),
  position: z.int(),
  size: z.int(),
  hasInside: z.boolean(),
});
/** A document's place in the tree, and the number of its siblings. */
export type TreePlace = z.output<typeof place>;

const window = z.object({
  workspaces: z.array(namedWorkspace),
  documents: z.array(documentRow),
  tree: z.array(place),
  members: z.array(memberRow),
  invitations: z.array(invitationRow),
  personal: z.nullable(personal),
  counts: z.object({
    workspaces: z.int(),
    all: z.int(),
    live: z.int(),
    unread: z.int(),
    trashed: z.int(),
    everybody: z.int(),
    members: z.int(),
    invitations: z.int(),
  }),
});

/**
 * The lengths of those lists of a workspace of which a page has only the first rows, and the tree's
 * first rows.
 */
export type WorkspaceRest = {
  tree: readonly TreePlace[];
  live: number;
  unread: number;
  trashed: number;
  members: number;
  invitations: number;
};

/** The first rows of each list of a workspace. `rest` is null if no list has more rows. */
type WorkspaceWindow = {
  workspaces: NamedWorkspace[];
  documents: DocumentRow[];
  members: MemberRow[];
  invitations: InvitationRow[];
  personal: Personal;
  rest: WorkspaceRest | null;
};

/**
 * Reads the first rows of each list of a workspace, however long the list is. Also reads what a
 * page needs to render those rows: the branch of the document `here`, favourites, and the members
 * that the rows name.
 */
export async function readWorkspaceWindow(
  rows: Pick<Rows, "rpc">,
  workspace: string,
  here: string | null,
): Promise<WorkspaceWindow> {
  const { data, error, status } = await rows.rpc("read_workspace_window", {
    workspace,
    here,
    rows_of_each: rowsAtATime,
  });
  if (error) throw faultOf(error, status);
  const { tree, counts, ...read } = window.parse(data);
  const { workspaces, all, everybody, live, unread, trashed, members, invitations } = counts;
  const isWhole = [workspaces, all, everybody, invitations].every((count) => count <= rowsAtATime);
  return {
    workspaces: read.workspaces,
    documents: sorted(read.documents, ({ updatedAt }) => updatedAt, -1),
    members: sorted(read.members, ({ joinedAt }) => joinedAt),
    invitations: sorted(read.invitations, ({ createdAt }) => createdAt, -1),
    personal: read.personal ?? noPersonal,
    rest: isWhole ? null : { tree, live, unread, trashed, members, invitations },
  };
}
