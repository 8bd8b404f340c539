"use client";

import { useEffect, useRef, useState } from "react";
import { linesOf, shownLines } from "@/events/read-models/change-lines";
import type { ChangeLine } from "@/events/read-models/change-lines";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { StoreFault } from "@/events/log/store";
import { useBackend } from "@/components/session/backend-provider";
import { askEvery, isAsked } from "./line-schedule";
import { useKept } from "./use-kept";

type Lines = Readonly<Record<string, readonly ChangeLine[]>>;

/** The number of last changed documents for which lines are read. */
const mostDocuments = 80;

/**
 * Returns the lines of each document, and reads them again while they are behind its log. If
 * `initial` is null, no lines are read.
 */
export function useLines(
  initial: Lines | null,
  me: string,
  documents: readonly DocumentRow[],
  unread: ReadonlyMap<string, number>,
): Lines {
  const backend = useBackend();
  const [lines, setLines] = useState<Lines>(initial ?? {});
  const rounds = useRef(new Map<string, number>());
  const latest = useRef({ documents, unread, lines });
  useEffect(() => {
    latest.current = { documents, unread, lines };
  });
  const wanted = initial !== null;
  useEffect(() => {
    if (!backend || !wanted) return;
    const behind = () =>
      latest.current.documents.slice(0, mostDocuments).flatMap(({ id, version }) => {
        const key = `${id} ${version}`;
        if ((latest.current.lines[id]?.[0]?.to ?? 0) >= version) return [];
        const round = rounds.current.get(key) ?? 0;
        rounds.current.set(key, round + 1);
        return isAsked(round) ? [id] : [];
      });
    const ask = async () => {
      const ids = document.hidden ? [] : behind();
      if (ids.length === 0) return;
      try {
        const found = await linesOf(backend.rows, ids);
        const seenOf = (id: string) => latest.current.unread.get(id) ?? null;
        setLines((known) => ({ ...known, ...shownLines(found, me, seenOf) }));
      } catch (fault) {
        // Until a retry succeeds, a list shows the type of the last event.
        if (!(fault instanceof StoreFault)) throw fault;
      }
    };
    const timer = setInterval(() => void ask(), askEvery);
    return () => clearInterval(timer);
  }, [backend, wanted, me]);
  return useKept(lines);
}
