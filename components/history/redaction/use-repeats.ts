"use client";

import { useEffect, useState } from "react";
import { pageRows, pages } from "@/events/core/pages";
import type { Ruled } from "@/events/core/envelope";
import { bringsFile } from "@/events/crdt/payload/file-search";
import { redactableWords } from "@/events/crdt/payload/redactable-words";
import { RepeatSearch } from "@/events/crdt/payload/repeat-search";
import type { Repeating } from "@/events/crdt/payload/repeat-search";
import { documentById } from "@/events/read-models/document-rows";
import type { Rows } from "@/events/read-models/rows";
import type { Store } from "@/events/log/store";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { copiesOf } from "./document-copies";
import type { Copy } from "./document-copies";

/** The other occurrences of an edit's words: events of the document, and other documents. */
export type Repeats = { repeating: readonly Repeating[]; copies: readonly Copy[] };

/**
 * The state of the search for an edit's words. `words` is null while they are read. `withFile`: the
 * edit added an image or a file. `searched` of `newest` events have been searched.
 */
type Known = {
  words: string | null;
  withFile: boolean;
  repeats: Repeats | null;
  searched: number;
  newest: number;
  failed: string | null;
};

const unread: Known = {
  words: null,
  withFile: false,
  repeats: null,
  searched: 0,
  newest: 0,
  failed: null,
};
/** The ms of work before the page may render. */
const slice = 12;

type Input = { documentId: string; version: number; store: Pick<Store, "read">; rows: Rows | null };

/**
 * Reads the words of one event, and searches the history and this reader's documents for
 * repetitions.
 */
export function useRepeats({ documentId, version, store, rows }: Input): Known {
  const [{ of, ...known }, setKnown] = useState({ of: version, ...unread });
  useEffect(() => {
    if (rows === null) return;
    let isCurrent = true;
    const learn = (more: Partial<Known>) =>
      isCurrent &&
      setKnown((before) => ({
        ...(before.of === version ? before : unread),
        ...more,
        of: version,
      }));
    const read = async () => {
      const [own] = await store.read(documentId, version - 1, 1);
      const words = own ? redactableWords(own) : "";
      const withFile = own ? bringsFile(own) : false;
      if (!own || (words === "" && !withFile))
        return learn({ words, repeats: { repeating: [], copies: [] } });
      learn({ words, withFile });
      const newest = (await documentById(rows, documentId))?.version ?? version;
      const search = new RepeatSearch(own);
      const readOn = (last: Ruled | null) => store.read(documentId, last?.version ?? 0, pageRows);
      for await (const events of pages(readOn)) {
        if (!isCurrent) return;
        let end = performance.now() + slice;
        for (const event of events) {
          search.take(event);
          if (performance.now() < end) continue;
          await new Promise((go) => setTimeout(go));
          if (!isCurrent) return;
          end = performance.now() + slice;
        }
        const searched = events.at(-1)?.version ?? 0;
        if (events.length === pageRows) learn({ searched, newest: Math.max(newest, searched) });
      }
      const repeating = search.results();
      learn({
        repeats: { repeating, copies: await copiesOf(rows, documentId, [own, ...repeating]) },
      });
    };
    read().catch((fault: unknown) => {
      reportUnexpected(fault);
      learn({ failed: failureWords(fault, "Nothing was changed", navigator.onLine) });
    });
    return () => {
      isCurrent = false;
    };
  }, [documentId, version, store, rows]);
  return of === version ? known : unread;
}
