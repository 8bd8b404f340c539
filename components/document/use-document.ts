"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import type { Ruled } from "@/events/core/envelope";
import type { Unreadable } from "@/components/editor/binding/content-guard";
import { schemaVersion } from "@/events/content/schema";
import { usePresence } from "@/components/presence/use-presence";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import { titleHere } from "@/components/workspace-state/proposals/known-titles";
import type { OfferedType } from "@/components/workspace-state/workspace-snapshot";
import { useAccessAtPause } from "./access/use-access-at-pause";
import type { DocumentSnapshot } from "./document-snapshot";
import type { PersonHere } from "./bar/people-here";
import { leftStates } from "./opening/left-states";
import { useLiveDocument } from "./use-live-document";

type LastEdit = { at: string; by: string };

/** Returns the live state and the rights of a document's page. */
export function useDocument(snapshot: DocumentSnapshot) {
  const {
    me,
    role,
    people,
    mayDocument,
    access: workspaceAccess,
  } = useWorkspace("me", "role", "people", "mayDocument", "access");
  const { id } = snapshot.row;
  const found = useDocumentRow(id);
  const title = titleHere(found ?? snapshot.row, me.userId);
  const row = useMemo(
    () => ({ ...(found ?? { ...snapshot.row, trashedIn: null }), title }),
    [found, snapshot.row, title],
  );
  const [writers, setWriters] = useState<readonly string[]>(() => {
    const left = leftStates.newerThan(snapshot.version, { userId: me.userId, documentId: id });
    return [...new Set([...snapshot.writers, ...(left?.owners ?? []).map(([, user]) => user)])];
  });
  const [lastEdit, setLastEdit] = useState<LastEdit | null>(null);
  const [unreadable, setUnreadable] = useState<Unreadable | null>(
    snapshot.schema > schemaVersion ? "newer" : null,
  );
  const [denied, setDenied] = useState(false);
  const { state: presence, whom, send: sendPresence } = usePresence();

  const onRows = useCallback((rows: Ruled[]) => {
    const edits = rows.filter(({ update }) => update !== null);
    const last = edits.at(-1);
    if (last === undefined) return;
    setLastEdit({ at: last.recordedAt, by: last.actorId });
    // Restores, reverts and merges change a text without authoring any of it.
    const written = edits.filter(({ type }) => type === "document.edited");
    setWriters((known) => [...new Set([...known, ...written.map(({ actorId }) => actorId)])]);
    if (edits.some(({ schema }) => schema > schemaVersion)) setUnreadable("newer");
  }, []);

  const onWritten = useCallback(() => {
    setLastEdit((last) =>
      last?.by === me.userId && Date.now() - Date.parse(last.at) < 1_000
        ? last
        : { at: new Date().toISOString(), by: me.userId },
    );
    setWriters((known) => (known.includes(me.userId) ? known : [...known, me.userId]));
  }, [me.userId]);

  const gone = workspaceAccess === "gone" || role === null || denied;
  const access = useAccessAtPause(
    gone ? "none" : mayDocument("document.edited", row) ? "write" : "read",
  );
  const opened = useLiveDocument({
    documentId: id,
    userId: me.userId,
    snapshot,
    access,
    presence,
    onRows,
    onWritten,
  });
  const { live, onTextReady } = opened;
  useEffect(() => {
    if (unreadable !== null) onTextReady();
  }, [unreadable, onTextReady]);
  useEffect(() => {
    if (live === null) return;
    // Once access is denied, it stays denied until the channel admits the page again. A new
    // connection alone grants no right to write.
    const { unsubscribe } = live.sync.subscribe((snapshot) =>
      setDenied(
        (before) =>
          !snapshot.matches({ link: "live" }) && (before || snapshot.matches({ access: "none" })),
      ),
    );
    return unsubscribe;
  }, [live]);

  const here = useMemo((): PersonHere[] => {
    const others = opened.here.flatMap(({ userId, state }) => {
      const person = people.get(userId);
      return person === undefined || userId === me.userId
        ? []
        : [{ ...person, idle: state !== "active", me: false }];
    });
    return [{ ...me, idle: false, me: true }, ...others];
  }, [opened.here, people, me]);

  useEffect(
    () =>
      sendPresence({
        type: "here",
        userIds: here.filter(({ me }) => !me).map(({ userId }) => userId),
      }),
    [sendPresence, here],
  );

  const may = (type: OfferedType) => !gone && mayDocument(type, row);
  const changedAt =
    lastEdit !== null && lastEdit.at > row.updatedAt
      ? lastEdit
      : { at: row.updatedAt, by: row.updatedBy };
  return {
    row,
    ...opened,
    here,
    access,
    may,
    unreadable,
    setUnreadable,
    writers,
    lastChange: changedAt,
    whom,
    sendPresence,
  } as const;
}
