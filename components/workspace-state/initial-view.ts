import type { EventType } from "@/events/core/event-types";
import { systemRandom } from "@/events/core/clock";
import type { LiveView } from "./live-workspace";
import type { WorkspaceSnapshot } from "./workspace-snapshot";

/** A workspace as the server rendered it; what is done before it is live waits for `ready` and is done then. */
export function firstView(initial: WorkspaceSnapshot): {
  view: LiveView;
  ready: (view: LiveView) => void;
} {
  let ready: (view: LiveView) => void = () => undefined;
  const live = new Promise<LiveView>((resolve) => {
    ready = resolve;
  });
  const { me, workspace, workspaces, members, invitations, documents, changes, allowed } = initial;
  const active = members.filter(({ phase }) => phase === "active");
  const may = (type: EventType) => allowed.includes(type);
  const view: LiveView = {
    me,
    workspaces,
    may,
    id: workspace.id,
    name: workspace.name,
    history: workspace.history,
    createdAt: workspace.createdAt,
    role: active.find(({ userId }) => userId === me.userId)?.role ?? null,
    access: "open",
    members: active,
    people: new Map(members.map(({ userId, name, color }) => [userId, { userId, name, color }])),
    invitations: invitations.map((row) => ({
      ...row,
      expiresAt: row.expiresAt === null ? null : Date.parse(row.expiresAt),
    })),
    documents: documents.filter(({ phase }) => phase === "live"),
    trashed: documents.filter(({ phase }) => phase === "trashed"),
    changes,
    documentCommands: {
      create: (title = "", id = systemRandom.uuid()) => ({
        id,
        done: live.then((view) => view.documentCommands.create(title, id).done),
      }),
      rename: (id, title) => live.then((view) => view.documentCommands.rename(id, title)),
      setIcon: (id, emoji) => live.then((view) => view.documentCommands.setIcon(id, emoji)),
      trash: (id) => live.then((view) => view.documentCommands.trash(id)),
      restore: (id) => live.then((view) => view.documentCommands.restore(id)),
    },
    heard: 0,
    online: [],
    inDocument: new Map(),
    act: (type, body, subject) => live.then((view) => view.act(type, body, subject)),
    mayDocument: (type, row) =>
      may(type) && (type === "document.restored") === (row?.phase === "trashed"),
    // The database is the one to refuse; the menu knows as soon as the page is live.
    keepsAnOwner: () => true,
  };
  return { view, ready: (view) => ready(view) };
}
