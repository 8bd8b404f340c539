"use client";

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { systemRandom } from "@/events/core/clock";
import { ImportError, importLimits, megabytes } from "@/events/formats/reading/import-error";
import { sentence } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";
import type { ImportedFile } from "@/events/worker/import-jobs";
import { readBeside } from "@/events/worker/page-import";
import { appendDocuments, takeBackDocuments } from "@/machines/import/imported-documents";
import type { BegunDocuments } from "@/machines/import/imported-documents";
import { sendPicture } from "./send-files";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

type FilesImport =
  | { state: "reading"; done: number; all: number }
  | { state: "read"; file: ImportedFile }
  | { state: "importing"; file: ImportedFile; done: number; pictures: number }
  | { state: "failed"; why: string };

const unfitWords = (unfit: number) => {
  if (unfit === 0) return "";
  const what = unfit === 1 ? "1 image" : `${unfit} images`;
  return `. ${what} could not be added: no page can show ${unfit === 1 ? "it" : "them"}`;
};

type Input = {
  file: File;
  store: Pick<Store, "append">;
  workspaceId: string;
  onImported: (id: string) => void;
};

const left = "What was imported is still among your documents: it could not be moved to the trash.";

/** Reads a chosen file, and creates documents from it on request. */
export function useFilesImport({ file, store, workspaceId, onImported }: Input) {
  const [step, setStep] = useState<FilesImport>({ state: "reading", done: 0, all: 1 });
  const work = useRef(new AbortController());
  const toast = useToast();
  const { documents, trashed } = useWorkspace("documents", "trashed");
  const titlesNow = useEffectEvent(
    () => new Map([...documents, ...trashed].map(({ id, title }) => [id, title])),
  );

  useEffect(() => {
    const control = new AbortController();
    work.current = control;
    const read = async () => {
      if (file.size > importLimits.packed)
        throw new ImportError(
          `The file has ${megabytes(file.size)}; at most ${megabytes(importLimits.packed)} are taken.`,
        );
      const about = { origin: location.origin, now: Date.now(), titles: titlesNow() };
      const request = { name: file.name, file, ...about };
      return readBeside(request, control.signal, (done, all) =>
        setStep({ state: "reading", done, all }),
      );
    };
    read().then(
      (found) => setStep({ state: "read", file: found }),
      (error: unknown) => {
        if (control.signal.aborted) return;
        if (!(error instanceof ImportError)) reportUnexpected(error);
        const why = error instanceof ImportError ? error.message : "The file could not be read.";
        setStep({ state: "failed", why });
      },
    );
    return () => control.abort();
  }, [file]);

  const takeBack = useCallback(
    (begun: BegunDocuments): Promise<boolean> => {
      return takeBackDocuments(begun, { append: store.append, newId: systemRandom.uuid });
    },
    [store],
  );

  const confirm = useCallback(
    async (brought: ImportedFile) => {
      const { documents } = brought;
      const { signal } = work.current;
      const begun: BegunDocuments = { documents, ids: [] };
      const onDone = (done: number, pictures: number) =>
        setStep({ state: "importing", file: brought, done, pictures });
      onDone(0, 0);
      const giveUp = async (why: string) => {
        const isBack = await takeBack(begun);
        setStep({ state: "failed", why: isBack ? why : `${why} ${left}` });
      };
      try {
        const outcome = await appendDocuments(begun, {
          workspaceId,
          append: store.append,
          signal,
          newId: systemRandom.uuid,
          now: () => new Date().toISOString(),
          send: (document, picture) => sendPicture(document, picture, signal),
          onDone,
        });
        const [first] = begun.ids;
        if (outcome.state === "refused") {
          const { refusal } = outcome;
          return await giveUp(typeof refusal === "string" ? refusal : sentence(refusal));
        }
        if (outcome.state === "cancelled") {
          const isBack = await takeBack(begun);
          if (begun.ids.length > 0)
            toast({
              text: isBack ? "The import was cancelled. What had come is in the trash." : left,
            });
          return;
        }
        const count = documents.length;
        const came = count === 1 ? "Imported 1 document" : `Imported ${count} documents`;
        toast({
          text: `${came}${unfitWords(outcome.unfit)}`,
          action: {
            label: "Undo",
            instead: "They can be moved to the trash",
            onAct: () => void takeBack(begun).then((isBack) => !isBack && toast({ text: left })),
          },
        });
        if (first !== undefined) onImported(first);
      } catch (fault) {
        reportUnexpected(fault);
        await giveUp(failureWords(fault, "The import stopped", navigator.onLine));
      }
    },
    [store, workspaceId, onImported, takeBack, toast],
  );
  return { step, confirm };
}
