"use client";

import type { EventType } from "@/events/core/event-types";
import { useCallback, useEffect, useMemo, useState } from "react";
import { systemClock } from "@/events/core/clock";
import { retried } from "@/events/core/retried";
import type { PresenceEntry } from "@/events/realtime/channel";
import type { Subject } from "@/events/core/envelope";
import type { DocumentRow, MemberRow } from "@/events/read-models/projections";
import { membersOf } from "@/events/read-models/projections";
import { phaseOf, subjectOf, subjectsOf } from "@/events/log/stream-fold";
import { mayEmit } from "@/machines/catalog";
import { invitation } from "@/machines/invitation";
import { keepsAnOwner, member } from "@/machines/member";
import { workspace as workspaceKind } from "@/machines/workspace";
import { useDocuments } from "./use-documents";
import { byDocument, whoIsOnline } from "@/components/presence/online";
import type { Person } from "@/events/read-models/person";
import { usePresence } from "@/components/presence/use-presence";
import { useBackend } from "@/components/session/backend-provider";
import { reportUnexpected } from "@/components/ui/failure-words";
import { useStream } from "./use-stream";
import { foldOfWorkspace } from "./workspace-fold";
import type { WorkspaceSnapshot } from "./workspace-snapshot";
import type { WorkspaceView } from "./workspace-context";

type Props = { initial: WorkspaceSnapshot; here: string | null; onView: (view: LiveView) => void };

/** A workspace but for the clock, which moves on without it. */
export type LiveView = Omit<WorkspaceView, "clock">;

const asPerson = ({ userId, name, color }: MemberRow): Person => ({ userId, name, color });

/** Keeps one workspace live and tells what it is each time it changes: its stream, its documents, who is online. */
export function LiveWorkspace({ initial, here, onView }: Props) {
  const { me } = initial;
  const { id } = initial.workspace;
  const backend = useBackend();
  const [rows, setRows] = useState(initial.members);
  const [entries, setEntries] = useState<readonly PresenceEntry[]>([]);
  const [since] = useState(() => Date.now());
  const { state: presence } = usePresence();
  const [first] = useState(() => foldOfWorkspace(initial));
  const [notices, setNotices] = useState(0);
  const documents = useDocuments(initial, id, me.userId);
  const subject = useMemo(() => ({ kind: "workspace", id }), [id]);
  const { fold, act, access } = useStream({
    stream: subject,
    userId: me.userId,
    initial: first,
    onNotice: (notice) => {
      setNotices((count) => count + 1);
      documents.heard(notice);
    },
    onPresence: setEntries,
    onJoined: documents.missed,
    presence: { userId: me.userId, documentId: here, state: presence, since },
  });

  const known = useMemo(() => new Map(rows.map((row) => [row.userId, row])), [rows]);
  const active = useMemo(
    () => subjectsOf(fold, member).filter(({ folded }) => folded.phase === "active"),
    [fold],
  );
  const strangers = active.some(({ id: userId }) => !known.has(userId));
  useEffect(() => {
    if (!backend || !strangers) return;
    // Without their row a new member has no name, and is shown nowhere.
    return retried({
      clock: systemClock,
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

  const view = useMemo((): LiveView => {
    const { state } = subjectOf(fold, workspaceKind, id);
    const online = whoIsOnline(entries, people);
    return {
      id,
      me,
      role,
      access,
      people,
      documents,
      act,
      may,
      mayDocument,
      heard: notices + fold.version,
      name: state.name,
      history: state.history,
      createdAt: state.createdAt,
      workspaces: initial.workspaces.map((each) =>
        each.id === id ? { id, name: state.name } : each,
      ),
      members: active.flatMap(({ id: userId, folded }) => {
        const row = known.get(userId);
        return row
          ? [
              {
                ...asPerson(row),
                email: row.email,
                role: folded.state.role,
                joinedAt: folded.state.joinedAt,
              },
            ]
          : [];
      }),
      invitations: subjectsOf(fold, invitation)
        .filter(({ folded }) => folded.phase === "open")
        .map(({ id: invitationId, folded }) => ({
          id: invitationId,
          phase: folded.phase,
          ...folded.state,
        })),
      online,
      inDocument: byDocument(online.filter(({ userId }) => userId !== me.userId)),
      keepsAnOwner: (userId, nextRole) => keepsAnOwner(active, userId, nextRole),
    };
  }, [
    fold,
    id,
    me,
    role,
    access,
    people,
    documents,
    act,
    may,
    mayDocument,
    entries,
    active,
    known,
    notices,
    initial.workspaces,
  ]);

  useEffect(() => onView(view), [view, onView]);
  return null;
}
