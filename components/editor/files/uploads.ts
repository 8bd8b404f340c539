import { type Actor, createActor } from "xstate";
import { letFileGo, type WaitingFile, waitingFiles } from "@/events/device/waiting-files";
import { uploadMachine } from "@/machines/upload/upload";
import { tellFileArrival } from "./arrivals";
import { uploadSteps } from "./upload-steps";

/** A file on its way from this device, as long as it is not stored. */
export type Upload = {
  actor: Actor<typeof uploadMachine>;
  name: string;
  kind: WaitingFile["kind"];
  /** Where this page has its bytes. */
  local: string;
};

const uploads = new Map<string, Upload>();
const listeners = new Set<() => void>();
/** What this page shows of its own files stays until it is closed, so that nothing flickers when they are stored. */
const locals = new Map<string, string>();

const tell = () => {
  for (const listener of listeners) listener();
};

/** The upload of a file, if it is under way from this tab. */
export function uploadOf(file: string): Upload | null {
  return uploads.get(file) ?? null;
}

/** Where the bytes of a file are in this page; null where it has none. */
export function localAddress(file: string): string | null {
  return locals.get(file) ?? null;
}

/** Hears that uploads began, went on or ended. */
export function onUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Begins to bring a file into its document. */
export function startUpload(waiting: WaitingFile): void {
  const { file, name, kind, bytes } = waiting;
  if (uploads.has(file)) return;
  const { leave, ...steps } = uploadSteps(waiting);
  const actor = createActor(uploadMachine, { input: { steps, bytes: bytes.size } });
  const local = locals.get(file) ?? URL.createObjectURL(bytes);
  locals.set(file, local);
  uploads.set(file, { actor, name, kind, local });
  actor.subscribe((now) => {
    if (now.status === "done") {
      leave();
      uploads.delete(file);
      void letFileGo(file).catch(() => undefined);
      if (now.matches("done")) tellFileArrival(file);
    }
    tell();
  });
  actor.start();
  tell();
}

/**
 * Goes on with what this person's tabs have left of a document's files. Another tab that does the
 * same is not disturbed: each file is taken by one.
 */
export async function resumeUploads(document: string, userId: string): Promise<void> {
  const left = await waitingFiles(document, userId).catch(() => []);
  for (const waiting of left)
    void navigator.locks
      .request(`palimpsest-upload-${waiting.file}`, { ifAvailable: true }, async (lock) => {
        if (lock === null || uploads.has(waiting.file)) return;
        startUpload(waiting);
        await new Promise<void>((ended) => {
          const stop = onUploads(() => {
            if (uploads.has(waiting.file)) return;
            stop();
            ended();
          });
        });
      })
      .catch(() => undefined);
}
