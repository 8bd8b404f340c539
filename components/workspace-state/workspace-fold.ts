import { subjectKey } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import type { Invitation } from "@/machines/invitation";
import type { Member } from "@/machines/member";
import type { Workspace } from "@/machines/workspace";
import type { WorkspaceSnapshot } from "./workspace-snapshot";

/**
 * Returns the fold that the projections of a workspace represent. Folding an event again that the
 * projections already include changes nothing.
 */
export function foldOfWorkspace({
  workspace,
  members,
  invitations,
}: WorkspaceSnapshot): StreamFold {
  const { id, name, phase, createdBy, createdAt, history, version } = workspace;
  const own = { phase, state: { name, createdBy, createdAt, history } satisfies Workspace };
  const people = members.map(({ userId, role, joinedAt, givenColor, phase: member }) => [
    subjectKey({ kind: "member", id: userId }),
    { phase: member, state: { role, joinedAt, color: givenColor } satisfies Member },
  ]);
  const invited = invitations.map((row) => [
    subjectKey({ kind: "invitation", id: row.id }),
    {
      phase: row.phase,
      state: {
        kind: row.kind,
        email: row.email,
        role: row.role,
        createdBy: row.createdBy,
        expiresAt: row.expiresAt === null ? null : Date.parse(row.expiresAt),
      } satisfies Invitation,
    },
  ]);
  return {
    version,
    subjects: Object.fromEntries([
      [subjectKey({ kind: "workspace", id }), own],
      ...people,
      ...invited,
    ]),
  };
}
