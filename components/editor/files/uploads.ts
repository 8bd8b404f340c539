import { systemClock } from "@/events/core/clock";
import { deviceLocks } from "@/events/device/tab-locks";
import { type WaitingFile, waitingFiles } from "@/events/device/waiting-files";
import { type FileUpload, fileUpload } from "@/machines/upload/file-upload";
import { tellFileArrival } from "./arrivals";
import { uploadSteps } from "./upload-steps";

/** A file on its way from this device, as long as it is not stored. */
export type Upload = {
  actor: FileUpload;
  name: string;
  kind: WaitingFile["kind"];
  /** Where this page has its bytes. */
  local: string;
};

const locks = deviceLocks(systemClock);
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

/** Begins to bring a file into its document; `isKept` if an earlier page has kept it on the device. */
export function startUpload(waiting: WaitingFile, isKept = false): void {
  const { file, name, kind, bytes } = waiting;
  if (uploads.has(file)) return;
  const { leave, ...steps } = uploadSteps(waiting);
  const actor = fileUpload({ waiting, isKept, steps, locks });
  const local = locals.get(file) ?? URL.createObjectURL(bytes);
  locals.set(file, local);
  uploads.set(file, { actor, name, kind, local });
  actor.subscribe((now) => {
    if (now.status === "done") {
      leave();
      uploads.delete(file);
      if (now.matches("done")) tellFileArrival(file);
    }
    tell();
  });
  actor.start();
  tell();
}

/**
 * Resumes the uploads of a document's files that are kept on this device. Several tabs may do so:
 * one uploads a file, the others wait for it.
 */
export async function resumeUploads(document: string, userId: string): Promise<void> {
  const left = await waitingFiles(document, userId).catch(() => []);
  for (const waiting of left) startUpload(waiting, true);
}
