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

/** What a person can do with what they keep for themselves; the same object while the page is shown. */
export type PersonalCommands = {
  /** Records that a version of a document was read; `opened` where its page has just been opened. */
  seen: (document: string, version: number, opened: boolean) => void;
  /** Adds a favourite, at a place counted from 0 or behind the others, or takes it away. */
  favour: (document: string, favourite: boolean, place?: number) => void;
  /** Marks everything that is shown as changed as read. */
  readAll: () => void;
};

export type PersonalView = {
  /** Documents that were marked, in the reader's order; some may have gone to the trash. */
  favourites: readonly string[];
  /** The documents opened last, newest first. */
  recents: readonly string[];
  /** The documents that others changed since, and up to which version each was read. */
  unread: ReadonlyMap<string, number>;
  personal: PersonalCommands;
};

/** What the reader keeps of a workspace, at once in this tab and live in their others. */
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
    // What is unread among the same documents depends on the state of the store.
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
