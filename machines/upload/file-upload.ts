import { createActor } from "xstate";
import type { Actor } from "xstate";
import type { WaitingLocks } from "@/events/device/tab-locks";
import { isFileWaiting, keepFile, letFileGo, onFileLetGo } from "@/events/device/waiting-files";
import type { WaitingFile } from "@/events/device/waiting-files";
import { uploadMachine } from "./upload";
import type { UploadSteps } from "./upload";

/** An actor that uploads a file of this device. */
export type FileUpload = Actor<typeof uploadMachine>;

/** The steps that call the service. */
export type SendingSteps = Omit<UploadSteps, "claim" | "onGone">;

type Input = {
  waiting: WaitingFile;
  /** Whether the device already keeps the file. */
  isKept: boolean;
  steps: SendingSteps;
  locks: WaitingLocks;
};

/**
 * Creates an actor that uploads a file of this device. The caller starts the actor. A lock lets one
 * tab of the browser upload the file at a time, because a second upload would invalidate the
 * address of the first one (FILE-29). A failed upload releases the lock, so that another tab can
 * try. Otherwise the lock is released after the file was removed from the device.
 */
export function fileUpload({ waiting, isKept, steps, locks }: Input): FileUpload {
  const { file, bytes } = waiting;
  let kept = isKept;
  let held: (() => void) | null = null;
  const release = () => {
    held?.();
    held = null;
  };
  const claim: UploadSteps["claim"] = async (onHeld, signal) => {
    const taken = await lockOf(locks, file, onHeld, signal);
    if (signal.aborted) taken();
    signal.throwIfAborted();
    held = taken;
    // The service records a file once even if it is sent again, so a device error does not stop the
    // upload.
    if (kept) return (await isFileWaiting(file).catch(() => true)) ? "mine" : "gone";
    // If the device cannot keep the file, this page holds the file while the page is open.
    kept = await keepFile(waiting).then(
      () => true,
      () => false,
    );
    return "mine";
  };
  const onGone: UploadSteps["onGone"] = (listener) => onFileLetGo(file, listener);
  const actor = createActor(uploadMachine, {
    input: { steps: { ...steps, claim, onGone }, bytes: bytes.size },
  });
  actor.subscribe((now) => {
    if (now.matches("failed")) release();
    // The file is removed before the lock is released, because the next tab checks for it at once.
    if (now.status === "done")
      void letFileGo(file)
        .catch(() => undefined)
        .then(release);
  });
  return actor;
}

/**
 * Acquires the lock of a file, after waiting for another tab's release, and resolves to its
 * release. In a browser without locks the release does nothing.
 */
async function lockOf(
  locks: WaitingLocks,
  file: string,
  onHeld: () => void,
  signal: AbortSignal,
): Promise<() => void> {
  const name = `palimpsest-upload-${file}`;
  try {
    const free = await locks.hold(name);
    if (free) return free;
    onHeld();
    return await locks.wait(name, signal);
  } catch {
    signal.throwIfAborted();
    return () => undefined;
  }
}
