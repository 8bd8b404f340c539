import type { EventType } from "@/events/core/event-types";
import { systemRandom } from "@/events/core/clock";
import type { LiveView } from "./live-workspace";
import { placedDocuments, treeOfRows } from "./placed-documents";
import { knownTitles } from "./proposals/known-titles";
import { seenAtFirst, unreadDocuments } from "@/machines/personal/unread-documents";
import type { WorkspaceSnapshot } from "./workspace-snapshot";

/** The event types that apply only to documents in the trash. */
const ofTrash: readonly EventType[] = ["document.restored", "document.purged"];

/** The callbacks that wait for a live workspace, by person and workspace. Only in a browser. */
const waiting = new Map<string, ((view: LiveView) => void)[]>();

/**
 * Creates the view of a workspace as the server rendered it. Actions before the workspace is live
 * are queued for `ready`. If the page is left earlier, its actions run once another page of the
 * workspace is live.
 */
export function firstView(initial: WorkspaceSnapshot): {
  view: LiveView;
  ready: (view: LiveView) => void;
} {
  const { me, workspace, workspaces, members, invitations, documents, changes, allowed } = initial;
  const { personal } = initial;
  const name = `${me.userId}/${workspace.id}`;
  let live: LiveView | null = null;
  const later = () =>
    new Promise<LiveView>((resolve) => {
      if (live !== null) resolve(live);
      else waiting.set(name, [...(waiting.get(name) ?? []), resolve]);
    });
  const seen = seenAtFirst(documents, personal.unread);
  const active = members.filter(({ phase }) => phase === "active");
  const placed = placedDocuments(documents, treeOfRows(documents));
  const may = (type: EventType) => allowed.includes(type);
  const view: LiveView = {
    me,
    workspaces,
    rest: initial.rest,
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
    documents: placed.live,
    trashed: placed.trashed,
    purged: placed.purged,
    changes,
    lines: initial.lines ?? {},
    favourites: personal.favourites,
    recents: personal.recents,
    unread: unreadDocuments(placed.live, me.userId, personal.readAt, (id) => seen.get(id) ?? 0),
    personal: {
      seen: (...input) => void later().then((view) => view.personal.seen(...input)),
      favour: (...input) => void later().then((view) => view.personal.favour(...input)),
      readAll: () => void later().then((view) => view.personal.readAll()),
    },
    documentCommands: {
      create: ({ id = systemRandom.uuid(), ...begun } = {}) => ({
        id,
        done: later().then((view) => view.documentCommands.create({ ...begun, id }).done),
      }),
      rename: (id, title, replaces) =>
        knownTitles(me.userId).give(
          id,
          title,
          later().then((view) => view.documentCommands.rename(id, title, replaces)),
        ),
      setIcon: (...input) => later().then((view) => view.documentCommands.setIcon(...input)),
      move: (id, to) => later().then((view) => view.documentCommands.move(id, to)),
      trash: (id) => later().then((view) => view.documentCommands.trash(id)),
      setTemplate: (id, template) =>
        later().then((view) => view.documentCommands.setTemplate(id, template)),
      purge: (id) => later().then((view) => view.documentCommands.purge(id)),
      restore: (id) => later().then((view) => view.documentCommands.restore(id)),
    },
    heard: 0,
    online: [],
    inDocument: new Map(),
    act: (type, body, subject, replaces) =>
      later().then((view) => view.act(type, body, subject, replaces)),
    mayDocument: (type, row) => may(type) && ofTrash.includes(type) === (row?.phase === "trashed"),
    // The database refuses if needed. The menu knows the answer once the page is live.
    keepsAnOwner: () => true,
  };
  return {
    view,
    ready: (view) => {
      live = view;
      const waited = waiting.get(name) ?? [];
      waiting.delete(name);
      for (const go of waited) go(view);
    },
  };
}
