"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import { typedEvent } from "@/events/core/event-types";
import type { TypedEvent } from "@/events/core/event-types";
import { retried } from "@/events/core/retried";
import { openStream } from "@/events/log/live-stream";
import type { LiveStream, Outcome } from "@/events/log/live-stream";
import { documentsById, versionsOfDocuments } from "@/events/read-models/document-rows";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { changesOf } from "@/events/read-models/last-changes";
import type { LastChange } from "@/events/read-models/last-changes";
import { sentence } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import { emptyFold, subjectOf } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { aggregates, law } from "@/machines/catalog";
import { document } from "@/machines/document";
import { rebased } from "@/machines/replaced-words";
import { branchOf, moveRefusal } from "@/machines/document-tree";
import type { Move } from "@/machines/document-tree";
import { pathOf } from "@/machines/tree-path";
import { droppedToast } from "./proposals/dropped-toast";
import { knownTitles } from "./proposals/known-titles";
import type { WorkspaceProposals } from "./proposals/workspace-proposals";
import { lazyStore } from "./lazy-store";
import { foldOfRow, withOptimistic } from "./optimistic-document";
import type { OptimisticDocument } from "./optimistic-document";
import { placedDocuments } from "./placed-documents";
import type { WorkspaceDocument } from "./placed-documents";
import { RowReading } from "./row-reading";
import { useProposedTree } from "./use-proposed-tree";
import { useKept } from "./use-kept";
import { useTab } from "@/components/session/backend-provider";
import { onPageEnd } from "@/components/session/page-end";
import { reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";

/** The commands on documents, which are stable while the page is shown. */
export type DocumentCommands = {
  /** Creates a document, which is listed at once and can be opened once `done` resolves to true. */
  create: (begun?: Begun) => { id: string; done: Promise<boolean> };
  /** Changes a title. The change is merged with concurrent changes by others. */
  rename: (id: string, title: string, replaces: string) => Promise<boolean>;
  /** Replaces the emoji before the title, or removes it if `emoji` is null. */
  setIcon: (id: string, emoji: string | null, replaces: string | null) => Promise<boolean>;
  /**
   * Moves a document into another, or (null) to the top level, behind a sibling or (null) first.
   */
  move: (id: string, to: Move) => Promise<boolean>;
  /** Moves a document to the trash with its descendants. */
  trash: (id: string) => Promise<boolean>;
  /** Adds a document to the templates or removes it. */
  setTemplate: (id: string, template: boolean) => Promise<boolean>;
  /** Restores a document with the descendants that were trashed with it. */
  restore: (id: string) => Promise<boolean>;
  /** Deletes a document and its descendants permanently, the deepest first. */
  purge: (id: string) => Promise<boolean>;
};

/** An event to propose, with the title or icon that it replaces. */
type ProposedEvent = TypedEvent & { replaces?: string };

/** The start of a document. Without `place`, the document is added at the end of the top level. */
export type Begun = { title?: string; id?: string; place?: Move };

type Documents = {
  /** Live documents, last changed first. */
  live: readonly WorkspaceDocument[];
  trashed: readonly WorkspaceDocument[];
  /** The ids of documents that were deleted permanently. */
  purged: readonly string[];
  /** The last event of each document, by id. */
  changes: Readonly<Record<string, LastChange>>;
  commands: DocumentCommands;
  /** Reports that a document's stream has grown. */
  heard: (notice: { stream: string }) => void;
  /** Reports that notices may have been missed. Every stream that has grown is read again. */
  missed: () => void;
  /** Proposes again what an earlier page has proposed on a document. Stable across renders. */
  resume: (id: string, events: readonly [OptimisticEvent, ...OptimisticEvent[]]) => void;
};

/**
 * The delay in ms of a read for unreported edits. The workspace is notified of edits at most every
 * five seconds, and may never be notified of the last ones.
 */
const lastEdits = 6_000;

/**
 * Returns the documents of a workspace from the projection, with this tab's optimistic events on
 * top. The projection is re-read on notice.
 */
export function useDocuments(
  initial: { documents: readonly DocumentRow[]; changes: Readonly<Record<string, LastChange>> },
  workspaceId: string,
  userId: string,
  proposals: WorkspaceProposals,
): Documents {
  const { open, current } = useTab();
  const toast = useToast();
  const [rows, setRows] = useState<ReadonlyMap<string, DocumentRow>>(
    () => new Map(initial.documents.map((row) => [row.id, row])),
  );
  const [changes, setChanges] = useState(initial.changes);
  const [optimisticDocuments, setOptimisticDocuments] = useState<
    ReadonlyMap<string, OptimisticDocument>
  >(new Map());
  const streams = useRef(new Map<string, LiveStream>());
  const late = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });

  const [reading] = useState(
    () =>
      new RowReading({
        clock: systemClock,
        random: systemRandom,
        async read(ids) {
          const { backend } = await open();
          const fresh = await documentsById(backend.rows, ids);
          knownTitles(userId).note(fresh);
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
      }),
  );
  useEffect(() => reading.begin(), [reading]);

  const heard = useCallback(
    ({ stream }: { stream: string }) => {
      const read = () => void reading.ask([stream]);
      read();
      clearTimeout(late.current.get(stream));
      late.current.set(stream, setTimeout(read, lastEdits));
    },
    [reading],
  );
  useEffect(() => {
    const timers = late.current;
    return () => {
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, []);

  const stopGrown = useRef(() => {});
  useEffect(() => () => stopGrown.current(), []);
  const readGrown = useCallback(() => {
    const isNews = (row: Pick<DocumentRow, "id" | "version">) =>
      row.version > (latest.current.get(row.id)?.version ?? 0);
    const work = async () => {
      const { backend } = await open();
      try {
        const found = await versionsOfDocuments(backend.rows, workspaceId);
        await reading.ask(found.filter(isNews).map(({ id }) => id));
      } catch (fault) {
        // Lost access is reported elsewhere.
        if (!(fault instanceof StoreFault) || fault.retryable) throw fault;
      }
      return true;
    };
    stopGrown.current();
    stopGrown.current = retried({
      clock: systemClock,
      random: systemRandom,
      work,
      done: () => undefined,
      failed: reportUnexpected,
    });
  }, [open, reading, workspaceId]);
  const missed = useCallback(() => {
    readGrown();
    // A notice of edits may have been sent just before the channel was joined.
    clearTimeout(late.current.get(workspaceId));
    late.current.set(workspaceId, setTimeout(readGrown, lastEdits));
  }, [readGrown, workspaceId]);

  const { tree, show: showInTree } = useProposedTree(rows);
  const latestTree = useRef(tree);
  useEffect(() => {
    latestTree.current = tree;
  });
  /** Proposes events on a document, shows them at once, and settles with the acknowledgement. */
  const follow = useCallback(
    async function followed(
      id: string,
      events: readonly [ProposedEvent, ...ProposedEvent[]],
      act: (stream: LiveStream) => Promise<Outcome>,
    ): Promise<boolean> {
      const row = latest.current.get(id);
      const subject = { kind: "document", id };
      const stream =
        streams.current.get(id) ??
        openStream({
          stream: subject,
          actorId: userId,
          store: lazyStore(
            async () => (await open()).backend.store,
            () => current()?.backend.store ?? null,
          ),
          rules: streamRules(aggregates, law, subject),
          clock: systemClock,
          random: systemRandom,
          initial: row ? foldOfRow(row) : emptyFold,
          rebase: rebased,
          onDropped: (dropped) =>
            toast(
              droppedToast(dropped, performance.timeOrigin, ({ type, body }) => {
                // Replaces the current value, which the person has seen.
                const again = { ...typedEvent(type, body), subject };
                void followed(id, [again], (stream) => stream.actTogether([again]));
              }),
            ),
          onPageEnd,
          keep: proposals.keepFor(subject),
        });
      streams.current.set(id, stream);
      const at = new Date().toISOString();
      const type = events[0].type;
      const outcome = act(stream);
      const unplace = showInTree(id, events);
      const show = () => {
        const { phase, state } = subjectOf(stream.view().fold, document, id);
        setOptimisticDocuments((all) =>
          new Map(all).set(id, {
            phase,
            title: state.title,
            icon: state.icon,
            template: state.template,
            type,
            at,
          }),
        );
      };
      const stop = stream.subscribe(show);
      show();
      const { ok } = await outcome;
      stop();
      const end = () => {
        unplace();
        if (stream.view().health === "synced" && streams.current.get(id) === stream) {
          streams.current.delete(id);
          stream.close();
          setOptimisticDocuments((all) => new Map([...all].filter(([other]) => other !== id)));
        }
      };
      // A recorded event stays shown until its row is read. A refused event is removed at once.
      await reading.ask([id], ok ? end : undefined);
      if (!ok) end();
      return ok;
    },
    [open, current, toast, reading, userId, showInTree, proposals],
  );
  const propose = useCallback(
    (id: string, ...events: readonly [ProposedEvent, ...ProposedEvent[]]) =>
      follow(id, events, (stream) =>
        stream.actTogether(
          events.map((event) => ({ ...event, subject: { kind: "document", id } })),
        ),
      ),
    [follow],
  );
  const resume: Documents["resume"] = useCallback(
    (id, events) => void follow(id, events, (stream) => stream.resume(events)),
    [follow],
  );

  const commands = useMemo(
    (): DocumentCommands => ({
      create({ title = "", id = systemRandom.uuid(), place } = {}) {
        const created = typedEvent("document.created", { workspaceId, title });
        const done =
          place === undefined
            ? propose(id, created)
            : propose(id, created, typedEvent("document.moved", place));
        return { id, done };
      },
      rename: (id, title, replaces) =>
        knownTitles(userId).give(
          id,
          title,
          propose(id, { ...typedEvent("document.renamed", { title }), replaces }),
        ),
      setIcon: (id, emoji, replaces) =>
        propose(id, {
          ...typedEvent("document.icon_set", { emoji }),
          replaces: replaces ?? "",
        }),
      async move(id, to) {
        const refusal = moveRefusal(latestTree.current, id, to);
        if (refusal === null) return propose(id, typedEvent("document.moved", to));
        toast({ text: sentence(refusal) });
        return false;
      },
      setTemplate: (id, template) => propose(id, typedEvent("document.template_set", { template })),
      trash: (id) => propose(id, typedEvent("document.trashed", {})),
      async purge(id) {
        const tree = latestTree.current;
        const purged = typedEvent("document.purged", {});
        for (const inside of branchOf(tree, id).reverse()) {
          const done =
            tree.get(inside.id)?.phase === "live"
              ? propose(inside.id, typedEvent("document.trashed", {}), purged)
              : propose(inside.id, purged);
          if (!(await done)) return false;
        }
        return true;
      },
      restore(id) {
        const away = pathOf(latestTree.current, id).find(({ phase }) => phase !== "live");
        return propose(away?.id ?? id, typedEvent("document.restored", {}));
      },
    }),
    [propose, toast, workspaceId, userId],
  );

  const { live, trashed, purged } = useMemo(() => {
    const seen = new Map(rows);
    for (const [id, optimistic] of optimisticDocuments)
      seen.set(id, withOptimistic(rows.get(id), id, workspaceId, userId, optimistic));
    return placedDocuments([...seen.values()], tree);
  }, [rows, optimisticDocuments, tree, workspaceId, userId]);
  const shownChanges = useMemo(() => {
    const optimisticChanges = [...optimisticDocuments].map(([id, { type, at }]) => [
      id,
      { type, at, actorId: userId, minutes: 0, bars: changes[id]?.bars ?? [], versions: [] },
    ]);
    return { ...changes, ...Object.fromEntries(optimisticChanges) };
  }, [optimisticDocuments, changes, userId]);
  return {
    live: useKept(live),
    trashed: useKept(trashed),
    purged: useKept(purged),
    changes: useKept(shownChanges),
    commands,
    heard,
    missed,
    resume,
  };
}
