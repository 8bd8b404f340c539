"use client";

import { pageRows, pages } from "@/events/core/pages";
import { reportError } from "@/events/core/error-report";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Backend } from "@/events/backend/backend";
import type { Ruled } from "@/events/core/envelope";
import type { Person } from "@/events/read-models/person";
import { makeBundle } from "@/events/proof/bundle-making";
import { bundledFiles } from "./bundled-files";

type Export =
  | { state: "idle" | "packing" | "failed" | "nothing" }
  | { state: "reading"; version: number }
  | { state: "fetching"; done: number; files: number }
  | { state: "done"; name: string; bytes: number; url: string; absent: string[] };

export type ExportInput = {
  backend: Pick<Backend, "store" | "history">;
  documentId: string;
  title: string;
  people: ReadonlyMap<string, Person>;
  me: Person;
};

const yieldToPage = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Builds the bundle of a document on request, from the events that this reader may read. */
export function useExport({ backend, documentId, title, people, me }: ExportInput): {
  exported: Export;
  begin: () => void;
  cancel: () => void;
} {
  const [exported, setExported] = useState<Export>({ state: "idle" });
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const url = exported.state === "done" ? exported.url : null;
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);

  const run = async (signal: AbortSignal) => {
    const answer = await fetch("/player-template", { signal });
    if (!answer.ok) throw new Error("The player could not be loaded");
    const template = await answer.text();
    const { head: seen } = await backend.history.recall(documentId).catch(() => ({ head: null }));
    const rows: Ruled[] = [];
    const readOn = (last: Ruled | null) =>
      backend.store.read(documentId, last?.version ?? 0, pageRows);
    for await (const page of pages(readOn)) {
      signal.throwIfAborted();
      rows.push(...page);
      setExported({ state: "reading", version: rows.length });
    }
    if (rows.length === 0) return setExported({ state: "nothing" });
    const { files, absent } = await bundledFiles(rows, signal, (done, all) =>
      setExported({ state: "fetching", done, files: all }),
    );
    setExported({ state: "packing" });
    const breathe = async () => {
      await yieldToPage();
      signal.throwIfAborted();
    };
    const { name, bytes } = await makeBundle({
      rows,
      people,
      seen,
      title,
      by: me,
      at: new Date().toISOString(),
      template,
      files,
      breathe,
    });
    setExported({
      state: "done",
      name,
      bytes: bytes.length,
      absent,
      url: URL.createObjectURL(new Blob([bytes], { type: "application/zip" })),
    });
  };
  const begin = () => {
    const running = new AbortController();
    control.current = running;
    setExported({ state: "reading", version: 0 });
    run(running.signal).catch((error: unknown) => {
      if (running.signal.aborted) return;
      reportError(error, { during: "exporting a history", kind: "tolerated", documentId });
      setExported({ state: "failed" });
    });
  };
  const cancel = useCallback(() => {
    control.current?.abort();
    setExported({ state: "idle" });
  }, []);
  return { exported, begin, cancel };
}
