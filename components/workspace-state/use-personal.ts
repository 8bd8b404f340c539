"use client";

import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { DocumentRow } from "@/events/read-models/document-rows";
import type { Personal } from "@/events/read-models/personal";
import { PersonalStore } from "@/machines/personal/personal-store";
import { useBackend, useTab } from "@/components/session/backend-provider";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { lastSeen } from "./last-seen";
import { useKept } from "./use-kept";

/** The commands on a person's own state, which are stable while the page is shown. */
export type PersonalCommands = {
  /** Records that a version was read. `opened` is true if its page has just been opened. */
  seen: (document: string, version: number, opened: boolean) => void;
  /** Adds a favourite, at a place counted from 0 or at the end, or removes it. */
  favour: (document: string, favourite: boolean, place?: number) => void;
  readAll: () => void;
};

export type PersonalView = {
  /** The favourites, in the reader's order. Some may be in the trash. */
  favourites: readonly string[];
  /** The recently opened documents, newest first. */
  recents: readonly string[];
  /** The documents that others changed after the version this person read, with that version. */
  unread: ReadonlyMap<string, number>;
  personal: PersonalCommands;
};

/** Returns the reader's own state in a workspace, optimistic in this tab and live across tabs. */
export function usePersonal(
  initial: { documents: readonly DocumentRow[]; personal: Personal },
  workspaceId: string,
  userId: string,
  documents: readonly DocumentRow[],
): PersonalView {
  const { open } = useTab();
  const backend = useBackend();
  const toast = useToast();
  const [store] = useState(
    () =>
      new PersonalStore({
        initial,
        workspaceId,
        userId,
        rows: async () => (await open()).backend.rows,
        shownHere: (id) => lastSeen(userId, id)?.version ?? 0,
        onRefused: (text) => toast({ text }),
        onFault: (fault) => {
          reportUnexpected(fault);
          toast({ text: failureWords(fault, "Nothing was changed", navigator.onLine) });
        },
      }),
  );
  const state = useSyncExternalStore(store.subscribe, store.state, store.state);
  const unread = useKept(
    // `state` is a dependency because the unread documents also change with the store's state.
    useMemo(() => state && store.unreadAmong(documents), [store, state, documents]),
  );
  useEffect(() => store.show(documents), [store, documents]);
  useEffect(() => (backend ? store.connect(backend) : undefined), [store, backend]);
  const personal = useMemo(
    (): PersonalCommands => ({
      seen: (...seen) => store.seen(...seen),
      favour: (...favour) => store.favour(...favour),
      readAll() {
        const { count, undo } = store.readAll();
        toast({
          text: count === 1 ? "Marked as read" : `Marked ${count} as read`,
          action: { label: "Undo", instead: "They stay as read", onAct: undo },
        });
      },
    }),
    [store, toast],
  );
  return {
    favourites: useKept(state.favourites),
    recents: useKept(state.recents),
    unread,
    personal,
  };
}
