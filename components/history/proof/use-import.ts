"use client";

import { bytesToHex } from "@noble/hashes/utils.js";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Backend } from "@/events/backend/backend";
import { BundleError, bundleLimits } from "@/events/proof/bundle-format";
import { systemRandom } from "@/events/core/clock";
import { sentence } from "@/events/log/refusal";
import { digest } from "@/events/core/bytes/sha256";
import { StoreFault } from "@/events/log/store";
import { useToast } from "@/components/ui/toast";
import { checkBundle } from "@/events/proof/bundle-check";
import type { CheckedBundle } from "@/events/proof/bundle-check";
import { planImport } from "@/machines/import/bundle-import";
import type { ImportPlan } from "@/machines/import/bundle-import";
import { appendImport } from "@/machines/import/importing";
import type { Begun } from "@/machines/import/importing";
import { restoredFiles, restoreFiles } from "@/machines/import/restored-files";
import type { RestoredFile } from "@/machines/import/restored-files";
import { sendRestored } from "./send-files";

/** A document with its images and files, which follow its events and count as parts of it. */
type Coming = Begun & { files: readonly RestoredFile[] };

type Import =
  | { state: "idle" }
  | { state: "checking"; done: number; events: number }
  | { state: "checked"; checked: CheckedBundle; plan: ImportPlan }
  | { state: "importing"; done: number; parts: number }
  /** `begun` is null if the import cannot be continued. */
  | { state: "stopped"; why: string; begun: Coming | null }
  | { state: "failed"; why: string };

const interrupted =
  "Somebody changed it before it was complete. Move it to the trash, and import the file again.";
const another = "Have the document exported once more, and choose that file.";
const cancelled = "The import was cancelled. The part that was imported is in the trash.";
const left =
  "The import was cancelled, but the part that was imported is still among your documents: it " +
  "could not be moved to the trash. Move it there yourself.";
const unreachable = "The server could not be reached. Try again when you are back online.";

/** Aborts the current work, and returns the signal for the next work. */
function begin(work: { current: AbortController }): AbortSignal {
  work.current.abort();
  work.current = new AbortController();
  return work.current.signal;
}

async function contentOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > bundleLimits.packed) {
    throw new BundleError(
      `The file has ${Math.ceil(file.size / 2 ** 20)} MB; at most ${bundleLimits.packed / 2 ** 20} MB are taken.`,
    );
  }
  return new Uint8Array(await file.arrayBuffer());
}

/**
 * Verifies a chosen bundle and imports it on request. `onImported` receives the new document's id.
 * Unmounting aborts the work.
 */
export function useImport(
  store: Backend["store"],
  workspaceId: string,
  onImported: (id: string) => void,
) {
  const [step, setStep] = useState<Import>({ state: "idle" });

  const toast = useToast();
  const work = useRef(new AbortController());
  useEffect(() => {
    const held = work;
    return () => held.current.abort();
  }, []);

  const choose = useCallback(
    async (file: File) => {
      const signal = begin(work);
      setStep({ state: "checking", done: 0, events: 1 });
      try {
        const bytes = await contentOf(file);
        const checked = await checkBundle(bytes, (done, events) => {
          signal.throwIfAborted();
          setStep({ state: "checking", done, events });
        });
        const sha256 = bytesToHex(await digest(bytes));
        const plan = planImport({
          checked,
          file: sha256,
          workspaceId,
          newId: systemRandom.uuid,
          now: new Date().toISOString(),
        });
        if (!signal.aborted) setStep({ state: "checked", checked, plan });
      } catch (error) {
        if (signal.aborted) return;
        setStep({
          state: "failed",
          why:
            error instanceof BundleError
              ? `${error.message} ${another}`
              : "The file could not be read. Choose it again.",
        });
      }
    },
    [workspaceId],
  );

  const append = useCallback(
    async ({ document, appends, files, done: from }: Coming) => {
      const signal = begin(work);
      let done = from;
      const stop = (why: string, goesOn = true) =>
        setStep(
          done === 0
            ? { state: "failed", why }
            : { state: "stopped", why, begun: goesOn ? { document, appends, files, done } : null },
        );
      const onDone = (now: number) => {
        done = now;
        setStep({ state: "importing", done, parts: appends.length + files.length });
      };
      onDone(from);
      try {
        const ways = { append: store.append, signal, newId: systemRandom.uuid };
        let imported: Awaited<ReturnType<typeof appendImport | typeof restoreFiles>> =
          await appendImport({ document, appends, done }, { ...ways, onDone });
        if (imported.state === "whole")
          imported = await restoreFiles(
            document,
            { files, from: done - appends.length },
            {
              ...ways,
              send: (file) => sendRestored(document, file, signal),
              onDone: (restored) => onDone(appends.length + restored),
            },
          );
        if (imported.state === "whole") return onImported(document);
        if (imported.state === "cancelled") {
          if (done > 0) toast({ text: imported.left ? left : cancelled });
          return;
        }
        const { refusal } = imported;
        if (typeof refusal === "string") return stop(refusal);
        // An illegal transition means that another event is between the steps.
        if (done > 0 && refusal.name === "illegal-transition") return stop(interrupted, false);
        stop(sentence(refusal));
      } catch (fault) {
        if (signal.aborted && done > 0) toast({ text: left });
        stop(unreachable);
        if (!(fault instanceof StoreFault)) throw fault;
      }
    },
    [store, onImported, toast],
  );
  const confirm = useCallback(
    ({ appends }: ImportPlan, checked: CheckedBundle) => {
      const files = restoredFiles(checked, systemRandom.uuid);
      return append({ document: systemRandom.uuid(), appends, files, done: 0 });
    },
    [append],
  );
  const restart = useCallback(() => setStep({ state: "idle" }), []);
  return { step, choose, confirm, goOn: append, restart };
}
