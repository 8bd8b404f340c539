"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
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
import { StoreFault } from "@/events/log/store";
import { useBackend, useTab } from "@/components/session/backend-provider";
import { reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { lastSeen } from "./last-seen";
import { ReadGate } from "./read-gate";
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
const failed = "This could not be kept. Try again when you are back online.";

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
  const [own, setOwn] = useState(initial.personal);
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

  const [gate] = useState(() => new ReadGate());
  useEffect(() => {
    if (!backend) return;
    // What another tab or device of theirs said while this one did not hear it is read when it hears again.
    const missed = async () => {
      try {
        reached(await readSeen(backend.rows, [...latest.current.unread.keys()]));
        const mayShow = gate.read();
        const read = await readPersonal(backend.rows, workspaceId);
        if (mayShow()) setOwn(read);
      } catch (fault) {
        if (!(fault instanceof StoreFault)) throw fault;
      }
    };
    const stopReading = gate.onStale(() => void missed());
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
    return () => {
      stopReading();
      channel.close();
    };
  }, [backend, me, workspaceId, reached, gate]);

  /** Of changes that follow each other quickly the database is told in their order. */
  const lastWrite = useRef<Promise<unknown>>(Promise.resolve());
  const personal = useMemo((): PersonalCommands => {
    const tried = async (work: () => Promise<boolean>, undo: () => void, refused: string) => {
      try {
        if (await work()) return;
        toast({ text: refused });
      } catch (fault) {
        if (!(fault instanceof StoreFault)) throw fault;
        toast({ text: failed });
      }
      undo();
    };
    const inOrder = (work: () => Promise<void>) => {
      const ended = gate.write();
      lastWrite.current = lastWrite.current.then(() =>
        work().catch(reportUnexpected).finally(ended),
      );
    };
    const readUntil = (until: string, undo: () => void) =>
      tried(
        async () => markAllRead((await open()).backend.rows, workspaceId, until),
        undo,
        "You don’t belong to this workspace any more.",
      );
    return {
      seen(document, version, opened) {
        reached(new Map([[document, version]]));
        if (opened)
          setOwn((known) => ({
            ...known,
            recents: [document, ...known.recents.filter((id) => id !== document)].slice(
              0,
              mostRecents,
            ),
          }));
        const ended = opened ? gate.write() : undefined;
        void open()
          .then(({ backend: { rows } }) => markSeen(rows, document, version, opened))
          // Nothing is lost: it stays unread, and is said again with the next change or visit.
          .catch((fault: unknown) => {
            if (!(fault instanceof StoreFault)) throw fault;
          })
          .finally(ended);
      },
      favour(document, favourite, place) {
        const before = latest.current.own.favourites;
        const others = before.filter((id) => id !== document);
        const at = place ?? others.length;
        const favourites = favourite
          ? [...others.slice(0, at), document, ...others.slice(at)]
          : others;
        setOwn((known) => ({ ...known, favourites }));
        inOrder(() =>
          tried(
            async () =>
              setFavourite((await open()).backend.rows, document, favourite, place ?? null),
            () => setOwn((known) => ({ ...known, favourites: before })),
            "You have 200 favourites here. Remove one to add another.",
          ),
        );
      },
      readAll() {
        const { own: before, unread: news, documents: rows } = latest.current;
        const changed = rows.filter(({ id }) => news.has(id)).map(({ updatedAt }) => updatedAt);
        const until = changed.reduce((last, time) => (time > last ? time : last), before.readAt);
        const show = (readAt: string) => setOwn((known) => ({ ...known, readAt }));
        show(until);
        inOrder(() => readUntil(until, () => show(before.readAt)));
        const undo = () => {
          show(before.readAt);
          inOrder(() => readUntil(before.readAt, () => show(until)));
        };
        toast({
          text: changed.length === 1 ? "Marked as read" : `Marked ${changed.length} as read`,
          action: { label: "Undo", instead: "They stay as read", onAct: undo },
        });
      },
    };
  }, [open, toast, workspaceId, reached, gate]);
  return {
    favourites: useKept(own.favourites),
    recents: useKept(own.recents),
    unread,
    personal,
  };
}
