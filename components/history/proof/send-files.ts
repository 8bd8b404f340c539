import { bringFile } from "@/components/editor/files/file-requests";
import { systemRandom } from "@/events/core/clock";
import { StoreFault } from "@/events/log/store";
import type { ImportedPicture, SentPicture } from "@/machines/import/imported-documents";
import type { RestoredFile } from "@/machines/import/restored-files";
import { UploadError } from "@/machines/upload/upload";

type FileUpload = Parameters<typeof bringFile>[1];
type Refused = { message: string; name?: string | undefined };

/** Uploads a file. Returns the refusal or null. Throws like the store if there is no connection. */
async function sent(
  place: { document: string; file: string },
  description: FileUpload,
  signal: AbortSignal,
): Promise<Refused | null> {
  try {
    await bringFile(place, description, signal);
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof UploadError)) throw error;
    if (error.failure === "offline") throw new StoreFault("the file could not be uploaded", 503);
    return error.failure;
  }
}

/**
 * Uploads an image or a file of a bundle to the new document. Returns the reason of a refusal, or
 * null.
 */
export async function sendRestored(
  document: string,
  { file, event, body: { name, type, sha256 }, bytes }: RestoredFile,
  signal: AbortSignal,
): Promise<string | null> {
  const kind = type === "application/octet-stream" ? "file" : "image";
  const description = {
    id: event,
    name,
    kind,
    sha256,
    bytes: new Blob([new Uint8Array(bytes)]),
  } as const;
  return (await sent({ document, file }, description, signal))?.message ?? null;
}

/** Refusals of single images that no page can show. The import continues with the others. */
const unfit = new Set(["not-an-image", "too-many-pixels", "too-large", "empty"]);

/** Uploads an image from an imported file of another format. */
export async function sendPicture(
  document: string,
  { file, name, bytes }: ImportedPicture,
  signal: AbortSignal,
): Promise<SentPicture> {
  const description = { id: systemRandom.uuid(), name, kind: "image", bytes } as const;
  const refused = await sent({ document, file }, description, signal);
  if (refused === null) return "sent";
  return unfit.has(refused.name ?? "") ? "unfit" : { refused: refused.message };
}
