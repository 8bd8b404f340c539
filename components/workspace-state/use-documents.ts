"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import type { BodyOf, EventType, EventTypeOf } from "@/events/core/event-types";
import { openStream, type LiveStream } from "@/events/log/live-stream";
import { documentsById, documentsOf, type DocumentRow } from "@/events/read-models/document-rows";
import { changesOf, type LastChange } from "@/events/read-models/last-changes";
import { sentence } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import { emptyFold, subjectKey, subjectOf, type StreamFold } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import { aggregates, law } from "@/machines/catalog";
import { document, type Document } from "@/machines/document";
import { lazyStore } from "./lazy-store";
import { useKept } from "./use-kept";
import { useTab } from "@/components/session/backend-provider";
import { useToast } from "@/components/ui/toast";

/** What can be done with documents; the same object for as long as the page is shown. */
export type DocumentCommands = {
  /** Begins a document; it is in the list at once, and can be opened when `done` says that it is recorded. */
  create: (title?: string, id?: string) => { id: string; done: Promise<boolean> };
  rename: (id: string, title: string) => Promise<boolean>;
  /** Puts an emoji before the title; null takes it away. */
  setIcon: (id: string, emoji: string | null) => Promise<boolean>;
  trash: (id: string) => Promise<boolean>;
  restore: (id: string) => Promise<boolean>;
};

type Documents = {
  /** Live documents, last changed first. */
  live: readonly DocumentRow[];
  trashed: readonly DocumentRow[];
  /** What happened last in each document, by id. */
  changes: Readonly<Record<string, LastChange>>;
  commands: DocumentCommands;
  /** A document's stream was heard to have grown. */
  heard: (notice: { stream: string }) => void;
  /** Notices may have been missed: whatever has grown since it was last read is read again. */
  missed: () => void;
};

/** What this tab optimistic events of one document while the database has not ruled. */
type OptimisticDocument = {
  title: string;
  icon: string | null;
  phase: string;
  type: EventType;
  at: string;
};

const lastChangedFirst = (a: DocumentRow, b: DocumentRow) => b.updatedAt.localeCompare(a.updatedAt);

function foldOfRow(row: DocumentRow): StreamFold {
  const {
    id,
    workspaceId,
    title,
    icon,
    createdBy,
    createdAt,
    edits,
    forkedFrom,
    forkedAt,
    phase,
    version,
  } = row;
  const state = {
    workspaceId,
    title,
    icon,
    createdBy,
    createdAt,
    edits,
    forkedFrom,
    forkedAt,
  } satisfies Document;
  return { version, subjects: { [subjectKey({ kind: "document", id })]: { phase, state } } };
}

function withOptimistic(
  row: DocumentRow | undefined,
  id: string,
  workspaceId: string,
  userId: string,
  optimistic: OptimisticDocument,
): DocumentRow {
  const { title, icon, phase, at } = optimistic;
  const base = row ?? {
    id,
    workspaceId,
    version: 0,
    createdBy: userId,
    createdAt: at,
    edits: 0,
    forkedFrom: null,
    forkedAt: null,
  };
  return { ...base, title, icon, phase, updatedBy: userId, updatedAt: at };
}

/**
 * The documents of a workspace as the projection has them, with what this tab optimistic events for
 * on top; read again when heard of.
 */
export function useDocuments(
  initial: { documents: readonly DocumentRow[]; changes: Readonly<Record<string, LastChange>> },
  workspaceId: string,
  userId: string,
): Documents {
  const { open } = useTab();
  const toast = useToast();
  const [rows, setRows] = useState<ReadonlyMap<string, DocumentRow>>(
    () => new Map(initial.documents.map((row) => [row.id, row])),
  );
  const [changes, setChanges] = useState(initial.changes);
  const [optimisticDocuments, setOptimisticDocuments] = useState<
    ReadonlyMap<string, OptimisticDocument>
  >(new Map());
  const streams = useRef(new Map<string, LiveStream>());
  const stale = useRef(new Set<string>());
  const reading = useRef<Promise<void> | null>(null);
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });

  const read = useCallback(
    async (ids: readonly string[]) => {
      const { backend } = await open();
      const fresh = await documentsById(backend.rows, ids);
      const changed = await changesOf(backend.rows, workspaceId, ids);
      const read = new Set(ids);
      setChanges((known) => ({
        ...Object.fromEntries(Object.entries(known).filter(([id]) => !read.has(id))),
        ...changed,
      }));
      setRows((known) => {
        const next = new Map(known);
        for (const row of fresh)
          if (row.version >= (known.get(row.id)?.version ?? 0)) next.set(row.id, row);
        return next;
      });
    },
    [open, workspaceId],
  );

  /** Whoever asks while it is under way waits for it: it reads what they have named as well. */
  const refresh = useCallback(() => {
    const readAll = async () => {
      // Not before it is known that it is under way.
      await Promise.resolve();
      try {
        while (stale.current.size > 0) {
          const ids = [...stale.current];
          stale.current.clear();
          await read(ids);
        }
      } catch (fault) {
        // What others changed is read again with the next notice or the next visit; nothing of this
        // tab's depends on it.
        if (!(fault instanceof StoreFault)) throw fault;
      } finally {
        reading.current = null;
      }
    };
    return (reading.current ??= readAll());
  }, [read]);

  const heard = useCallback(
    ({ stream }: { stream: string }) => {
      stale.current.add(stream);
      void refresh();
    },
    [refresh],
  );

  const missed = useCallback(async () => {
    try {
      const { backend } = await open();
      for (const row of await documentsOf(backend.rows, workspaceId))
        if (row.version > (latest.current.get(row.id)?.version ?? 0)) stale.current.add(row.id);
    } catch (fault) {
      // A network that fails here will bring the channel down too, and joining again asks again.
      if (!(fault instanceof StoreFault)) throw fault;
    }
    await refresh();
  }, [open, refresh, workspaceId]);

  const propose = useCallback(
    async <T extends EventTypeOf<"document">>(id: string, type: T, body: BodyOf<T>) => {
      const row = latest.current.get(id);
      const subject = { kind: "document", id };
      const stream =
        streams.current.get(id) ??
        openStream({
          stream: subject,
          actorId: userId,
          store: lazyStore(async () => (await open()).backend.store),
          rules: streamRules(aggregates, law, subject),
          clock: systemClock,
          random: systemRandom,
          initial: row ? foldOfRow(row) : emptyFold,
          onDropped: ({ refusal }) => toast({ text: sentence(refusal) }),
        });
      streams.current.set(id, stream);
      const at = new Date().toISOString();
      const outcome = stream.act(type, body);
      const show = () => {
        const { phase, state } = subjectOf(stream.view().fold, document, id);
        setOptimisticDocuments((all) =>
          new Map(all).set(id, { phase, title: state.title, icon: state.icon, type, at }),
        );
      };
      const stop = stream.subscribe(show);
      show();
      const { ok } = await outcome;
      stop();
      stale.current.add(id);
      await refresh();
      if (stream.view().health === "synced" && streams.current.get(id) === stream) {
        streams.current.delete(id);
        stream.close();
        setOptimisticDocuments((all) => new Map([...all].filter(([other]) => other !== id)));
      }
      return ok;
    },
    [open, toast, refresh, userId],
  );

  const commands = useMemo(
    (): DocumentCommands => ({
      create(title = "", id = systemRandom.uuid()) {
        return { id, done: propose(id, "document.created", { workspaceId, title }) };
      },
      rename: (id, title) => propose(id, "document.renamed", { title }),
      setIcon: (id, emoji) => propose(id, "document.icon_set", { emoji }),
      trash: (id) => propose(id, "document.trashed", {}),
      restore: (id) => propose(id, "document.restored", {}),
    }),
    [propose, workspaceId],
  );

  const all = useMemo(() => {
    const seen = new Map(rows);
    for (const [id, optimistic] of optimisticDocuments)
      seen.set(id, withOptimistic(rows.get(id), id, workspaceId, userId, optimistic));
    return [...seen.values()].sort(lastChangedFirst);
  }, [rows, optimisticDocuments, workspaceId, userId]);
  const live = useMemo(() => all.filter(({ phase }) => phase === "live"), [all]);
  const trashed = useMemo(() => all.filter(({ phase }) => phase === "trashed"), [all]);
  const shownChanges = useMemo(() => {
    const optimisticChanges = [...optimisticDocuments].map(([id, { type, at }]) => [
      id,
      { type, at, actorId: userId, minutes: 0, bars: changes[id]?.bars ?? [] },
    ]);
    return { ...changes, ...Object.fromEntries(optimisticChanges) };
  }, [optimisticDocuments, changes, userId]);
  return {
    live: useKept(live),
    trashed: useKept(trashed),
    changes: useKept(shownChanges),
    commands,
    heard,
    missed: () => void missed(),
  };
}
