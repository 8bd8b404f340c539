import { systemClock } from "@/events/core/clock";
import { deviceLocks } from "@/events/device/tab-locks";
import { waitingFiles } from "@/events/device/waiting-files";
import type { WaitingFile } from "@/events/device/waiting-files";
import { fileUpload } from "@/machines/upload/file-upload";
import type { FileUpload } from "@/machines/upload/file-upload";
import { tellFileArrival } from "./arrivals";
import { uploadSteps } from "./upload-steps";

/** An upload from this device, until the file is stored. */
export type Upload = {
  actor: FileUpload;
  name: string;
  kind: WaitingFile["kind"];
  /** The object URL of its bytes in this page. */
  local: string;
};

const locks = deviceLocks(systemClock);
const uploads = new Map<string, Upload>();
const listeners = new Set<() => void>();
/**
 * The object URLs by file. A page keeps showing its own copies until it closes, so that images do
 * not flicker when they are stored.
 */
const locals = new Map<string, string>();

const tell = () => {
  for (const listener of listeners) listener();
};

/** Returns the upload of a file from this tab, or null without one. */
export function uploadOf(file: string): Upload | null {
  return uploads.get(file) ?? null;
}

/** Returns the object URL of a file's bytes in this page, or null without one. */
export function localAddress(file: string): string | null {
  return locals.get(file) ?? null;
}

/** Subscribes to uploads that start, progress or end. */
export function onUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Starts the upload of a file. `isKept` means that an earlier page has stored it on the device. */
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
 * Resumes the uploads of a document that are stored on this device. If several tabs do so, one of
 * them uploads a file and the others wait for it.
 */
export async function resumeUploads(document: string, userId: string): Promise<void> {
  const left = await waitingFiles(document, userId).catch(() => []);
  for (const waiting of left) startUpload(waiting, true);
}
