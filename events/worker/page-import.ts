import { ImportError } from "@/events/formats/reading/import-error";
import type { ImportedFile, ImportReply, ImportRequest } from "./import-jobs";

/** The time limit for reading one document, in milliseconds. */
const patience = 45_000;

/**
 * Reads a file in a separate worker, which is terminated at the end, on abort, or after the time
 * limit. Throws ImportError for a file that cannot be imported.
 */
export function readBeside(
  request: ImportRequest,
  signal: AbortSignal,
  onRead: (done: number, all: number) => void,
): Promise<ImportedFile> {
  const worker = new Worker(new URL("./import-worker.ts", import.meta.url), {
    type: "module",
    name: "import",
  });
  const reading = new Promise<ImportedFile>((resolve, reject) => {
    const late = () =>
      reject(new ImportError("This file takes too long to read. Import it in parts."));
    let timer = setTimeout(late, patience);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    worker.onerror = ({ message }) => {
      clearTimeout(timer);
      reject(new Error(message));
    };
    worker.onmessage = ({ data }: MessageEvent<ImportReply>) => {
      clearTimeout(timer);
      if ("done" in data) {
        timer = setTimeout(late, patience);
        return onRead(data.done, data.all);
      }
      if ("file" in data) resolve(data.file);
      else reject("refused" in data ? new ImportError(data.refused) : new Error(data.fault));
    };
    // The worker reads the bytes: reading a hundred megabytes would block the page for half a
    // second.
    worker.postMessage(request);
  });
  return reading.finally(() => worker.terminate());
}
