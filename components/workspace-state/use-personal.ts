"use client";

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { DocumentRow } from "@/events/read-models/document-rows";
import {
  markAllRead,
  markSeen,
  parsePersonalNotice,
  personalNotice,
  readPersonal,
  readSeen,
  setFavourite,
  type Personal,
} from "@/events/read-models/personal";
import type { Rows } from "@/events/read-models/rows";
import { StoreFault } from "@/events/log/store";
import { useBackend, useTab } from "@/components/session/backend-provider";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { lastSeen } from "./last-seen";
import { OptimisticValue } from "./optimistic-value";
import { seenAtFirst, unreadDocuments } from "./unread-documents";
import { useKept } from "./use-kept";

/** What a person can do with what they keep for themselves; the same object while the page is shown. */
export type PersonalCommands = {
  /** Tells that a version of a document was read; `opened` where its page has just been opened. */
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

const mostRecents = 20;
/** Favourites with a document at a place, wherever it was before; without it where that is null. */
function withFavourite(
  favourites: readonly string[],
  document: string,
  place: number | null,
): readonly string[] {
  const others = favourites.filter((id) => id !== document);
  return place === null ? others : [...others.slice(0, place), document, ...others.slice(place)];
}

/** What was opened last with a document that has just been opened. */
const withOpened = (recents: readonly string[], document: string): readonly string[] =>
  [document, ...recents.filter((id) => id !== document)].slice(0, mostRecents);

/** What the reader keeps of a workspace, at once in this tab and live in their others. */
export function usePersonal(
  initial: { documents: readonly DocumentRow[]; personal: Personal },
  workspaceId: string,
  me: string,
  documents: readonly DocumentRow[],
): PersonalView {
  const { open } = useTab();
  const backend = useBackend();
  const toast = useToast();
  const [optimistic] = useState(() => new OptimisticValue(initial.personal));
  const own = useSyncExternalStore(optimistic.subscribe, optimistic.value, optimistic.value);
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(() =>
    seenAtFirst(initial.documents, initial.personal.unread),
  );
  const unread = useKept(
    useMemo(
      () =>
        unreadDocuments(documents, me, own.readAt, (id) =>
          Math.max(seen.get(id) ?? 0, lastSeen(me, id)?.version ?? 0),
        ),
      [documents, me, own.readAt, seen],
    ),
  );
  const latest = useRef({ own, unread, documents });
  useEffect(() => {
    latest.current = { own, unread, documents };
  });

  const reached = useCallback((versions: ReadonlyMap<string, number>) => {
    setSeen((known) => {
      const fresh = [...versions].filter(([id, version]) => version > (known.get(id) ?? 0));
      return fresh.length === 0 ? known : new Map([...known, ...fresh]);
    });
  }, []);

  useEffect(() => {
    if (!backend) return;
    // What another tab or device of theirs said while this one did not hear it is read when it hears again.
    const missed = async () => {
      try {
        reached(await readSeen(backend.rows, [...latest.current.unread.keys()]));
        const take = optimistic.read();
        take(await readPersonal(backend.rows, workspaceId));
      } catch (fault) {
        if (!(fault instanceof StoreFault)) throw fault;
      }
    };
    const channel = backend.channels.subscribe(me, {
      state: (state) => {
        if (state === "joined") void missed();
      },
      broadcast: (event, payload) => {
        const notice = event === personalNotice ? parsePersonalNotice(payload) : null;
        if (notice?.workspace !== workspaceId) return;
        const { document, version } = notice;
        if (document === undefined || version === undefined) void missed();
        else reached(new Map([[document, version]]));
      },
    });
    return () => channel.close();
  }, [backend, me, workspaceId, reached, optimistic]);

  /** Of changes that follow each other quickly the database is told in their order. */
  const lastWrite = useRef<Promise<unknown>>(Promise.resolve());
  const personal = useMemo((): PersonalCommands => {
    /** Records a change that is shown already; `refused` is said where the database does not take it. */
    const record = async (work: (rows: Rows) => Promise<boolean>, refused: string) => {
      try {
        const isRecorded = await work((await open()).backend.rows);
        if (!isRecorded) toast({ text: refused });
        return isRecorded;
      } catch (fault) {
        reportUnexpected(fault);
        toast({ text: failureWords(fault, "Nothing was changed", navigator.onLine) });
        return false;
      }
    };
    const change = (
      apply: (own: Personal) => Personal,
      work: (rows: Rows) => Promise<boolean>,
      refused: string,
    ) => {
      const settle = optimistic.change(apply);
      lastWrite.current = lastWrite.current.then(() => record(work, refused)).then(settle);
    };
    const readUntil = (readAt: string) =>
      change(
        (own) => ({ ...own, readAt }),
        (rows) => markAllRead(rows, workspaceId, readAt),
        "You don’t belong to this workspace any more.",
      );
    return {
      seen(document, version, opened) {
        reached(new Map([[document, version]]));
        const settle = opened
          ? optimistic.change((own) => ({ ...own, recents: withOpened(own.recents, document) }))
          : null;
        void open()
          .then(({ backend: { rows } }) => markSeen(rows, document, version, opened))
          // Nothing is lost: it stays unread, and is said again with the next change or visit.
          .catch((fault: unknown) => {
            if (!(fault instanceof StoreFault)) throw fault;
          })
          // It was opened here, recorded or not.
          .finally(() => settle?.(true));
      },
      favour(document, favourite, place) {
        const shownAt = favourite ? (place ?? Infinity) : null;
        change(
          (own) => ({ ...own, favourites: withFavourite(own.favourites, document, shownAt) }),
          (rows) => setFavourite(rows, document, favourite, place ?? null),
          "You have 200 favourites here. Remove one to add another.",
        );
      },
      readAll() {
        const { own: before, unread: news, documents: rows } = latest.current;
        const changed = rows.filter(({ id }) => news.has(id)).map(({ updatedAt }) => updatedAt);
        const until = changed.reduce((last, time) => (time > last ? time : last), before.readAt);
        readUntil(until);
        toast({
          text: changed.length === 1 ? "Marked as read" : `Marked ${changed.length} as read`,
          action: {
            label: "Undo",
            instead: "They stay as read",
            onAct: () => readUntil(before.readAt),
          },
        });
      },
    };
  }, [open, toast, workspaceId, reached, optimistic]);
  return {
    favourites: useKept(own.favourites),
    recents: useKept(own.recents),
    unread,
    personal,
  };
}
