"use client";

import type { EventType } from "@/events/core/event-types";
import { useCallback, useEffect, useMemo, useState } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import { retried } from "@/events/core/retried";
import type { PresenceEntry } from "@/events/realtime/channel";
import type { Subject } from "@/events/core/envelope";
import type { DocumentRow } from "@/events/read-models/document-rows";
import type { MemberRow } from "@/events/read-models/member-rows";
import { membersOf } from "@/events/read-models/member-rows";
import { phaseOf, subjectOf, subjectsOf } from "@/events/log/stream-fold";
import { mayEmit } from "@/machines/catalog";
import { invitation } from "@/machines/invitation";
import { keepsAnOwner, member } from "@/machines/member";
import type { Role } from "@/machines/member";
import { workspace as workspaceKind } from "@/machines/workspace";
import { useDocuments } from "./use-documents";
import { byDocument, whoIsOnline } from "@/components/presence/online";
import type { Person } from "@/events/read-models/person";
import { usePresence } from "@/components/presence/use-presence";
import { useBackend } from "@/components/session/backend-provider";
import { useProposalsFlush } from "@/components/session/use-proposals-flush";
import { reportUnexpected } from "@/components/ui/failure-words";
import { useLeftProposals } from "./proposals/use-proposals";
import { tabProposals } from "./proposals/workspace-proposals";
import { useKept } from "./use-kept";
import { useLines } from "./use-lines";
import { usePersonal } from "./use-personal";
import { useStream } from "./use-stream";
import { foldOfWorkspace } from "./workspace-fold";
import type { WorkspaceSnapshot } from "./workspace-snapshot";
import type { WorkspaceView } from "./workspace-context";

type Props = { initial: WorkspaceSnapshot; here: string | null; onView: (view: LiveView) => void };

/** A workspace without the clock, which advances independently. */
export type LiveView = Omit<WorkspaceView, "clock">;

const asPerson = ({ userId, name, color, picture }: MemberRow): Person => ({
  userId,
  name,
  color,
  picture,
});

/**
 * Keeps one workspace live and publishes it on each change: its stream, its documents, and the
 * people online. Unchanged parts keep their identity.
 */
export function LiveWorkspace({ initial, here, onView }: Props) {
  const me = useKept(initial.me);
  const { id } = initial.workspace;
  const backend = useBackend();
  const [rows, setRows] = useState(initial.members);
  const [entries, setEntries] = useState<readonly PresenceEntry[]>([]);
  const [since] = useState(() => Date.now());
  const { state: presence } = usePresence();
  const [first] = useState(() => foldOfWorkspace(initial));
  const [notices, setNotices] = useState(0);
  const proposals = tabProposals(me.userId, id);
  const { live, trashed, purged, changes, commands, heard, missed, resume } = useDocuments(
    initial,
    id,
    me.userId,
    proposals,
  );
  const own = usePersonal(initial, id, me.userId, live);
  const lines = useLines(initial.lines, me.userId, live, own.unread);
  const subject = useMemo(() => ({ kind: "workspace", id }), [id]);
  const workspaceStream = useStream({
    stream: subject,
    userId: me.userId,
    initial: first,
    onNotice: (notice) => {
      setNotices((count) => count + 1);
      heard(notice);
    },
    onPresence: setEntries,
    onJoined: missed,
    proposals,
    presence: { userId: me.userId, documentId: here, state: presence, since },
  });
  const { fold, act, access } = workspaceStream;
  useProposalsFlush(me.userId, id);
  useLeftProposals(proposals, (stream, events) => {
    if (stream.kind === "document") resume(stream.id, events);
    else if (stream.id === id) void workspaceStream.resume(events);
  });

  const known = useMemo(() => new Map(rows.map((row) => [row.userId, row])), [rows]);
  const active = useKept(
    subjectsOf(fold, member).filter(({ folded }) => folded.phase === "active"),
  );
  const strangers = active.some(({ id: userId }) => !known.has(userId));
  useEffect(() => {
    if (!backend || !strangers) return;
    // Until their row is read, a new member has no name and is not shown.
    return retried({
      clock: systemClock,
      random: systemRandom,
      work: () => membersOf(backend.rows, id),
      done: setRows,
      failed: reportUnexpected,
    });
  }, [backend, id, strangers]);

  const people = useMemo(() => new Map(rows.map((row) => [row.userId, asPerson(row)])), [rows]);
  const role = active.find(({ id: userId }) => userId === me.userId)?.folded.state.role ?? null;

  const may = useCallback(
    (type: EventType, about: Subject = { kind: "workspace", id }) =>
      access === "open" &&
      mayEmit(type, {
        phase: phaseOf(fold, about),
        role,
        isSelf: about.id === me.userId,
        isAuthor: false,
      }),
    [fold, role, access, id, me.userId],
  );

  const mayDocument = useCallback(
    (type: EventType, row: DocumentRow | null) =>
      access === "open" &&
      mayEmit(type, {
        phase: row?.phase ?? "absent",
        role,
        isSelf: false,
        isAuthor: row?.createdBy === me.userId,
      }),
    [role, access, me.userId],
  );

  const state = subjectOf(fold, workspaceKind, id).state;
  const { name, createdAt } = state;
  const history = useKept(state.history);
  const workspaces = useKept(
    initial.workspaces.map((each) => (each.id === id ? { id, name } : each)),
  );
  const members = useMemo(
    () =>
      active.flatMap(({ id: userId, folded }) => {
        const row = known.get(userId);
        const { role, joinedAt } = folded.state;
        return row ? [{ ...asPerson(row), email: row.email, role, joinedAt }] : [];
      }),
    [active, known],
  );
  const invitations = useKept(
    subjectsOf(fold, invitation)
      .filter(({ folded }) => folded.phase === "open")
      .map(({ id: invitationId, folded }) => ({
        id: invitationId,
        phase: folded.phase,
        ...folded.state,
      })),
  );
  const online = useKept(useMemo(() => whoIsOnline(entries, people), [entries, people]));
  const inDocument = useMemo(
    () => byDocument(online.filter(({ userId }) => userId !== me.userId)),
    [online, me.userId],
  );
  const keeps = useCallback(
    (userId: string, nextRole: Role | null) => keepsAnOwner(active, userId, nextRole),
    [active],
  );

  // Runs after every render, because subscribers compare the parts that they show.
  useEffect(() =>
    onView({
      id,
      me,
      role,
      access,
      name,
      createdAt,
      history,
      workspaces,
      rest: null,
      members,
      people,
      invitations,
      documents: live,
      trashed,
      purged,
      changes,
      lines,
      ...own,
      documentCommands: commands,
      heard: notices + fold.version,
      online,
      inDocument,
      act,
      may,
      mayDocument,
      keepsAnOwner: keeps,
    }),
  );
  return null;
}
