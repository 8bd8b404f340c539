import { fileName } from "@/events/core/text/file-name";
import { mostFileBytes } from "@/events/core/file-types";
import type { FileType } from "@/events/core/file-types";
import { faultOf } from "@/events/log/store";
import { hashOf } from "./file-hash";
import type { RefusedFile } from "./file-words";
import type { StoredImage } from "./image";
import { inImageLane, laneOf, plainTurns } from "./images/image-lanes";
import { isAnnounced, uploadPath } from "./open-uploads";
import { beginningOf, objectName, putObject, takeUpload } from "./stored-files";
import type { Writer } from "./writing-rights";

type Given = {
  name: string;
  asImage: boolean;
  /** The hash that a bundle declares for the file's bytes. */
  sha256?: string | undefined;
};

/** The content of `file.attached`. */
type SettledFile = {
  sha256: string;
  bytes: number;
  name: string;
  type: FileType;
  width: number | null;
  height: number | null;
};

const plain = (bytes: Uint8Array) => ({
  bytes,
  type: "application/octet-stream" as const,
  width: null,
  height: null,
  previews: [],
});

/** Reads the complete upload and checks its announced hash. Returns a reason for refusing it. */
async function takeGiven(
  writer: Writer,
  file: string,
  announced: string | undefined,
): Promise<Uint8Array | RefusedFile> {
  const given = await takeUpload(writer.service, uploadPath(writer, file));
  if (given === null) return "upload-missing";
  if (given.byteLength === 0) return "empty";
  if (given.byteLength > mostFileBytes) return "too-large";
  const sent = { bytes: given.byteLength, sha256: () => hashOf(given) };
  if (!(await isAnnounced(writer, file, sent))) return "upload-missing";
  return announced !== undefined && (await hashOf(given)) !== announced ? "differs" : given;
}

/** Stores a file and its previews under the hash of the stored bytes. */
async function keep(
  { service, workspace }: Writer,
  name: string,
  { bytes, type, width, height, previews }: ReturnType<typeof plain> | StoredImage,
): Promise<SettledFile | RefusedFile> {
  if (bytes.byteLength > mostFileBytes) return "too-large";
  const sha256 = await hashOf(bytes);
  const stored = { workspace, sha256 };
  for (const { width: wide, bytes: small } of previews)
    await putObject(service, "files", objectName(stored, wide), small, "image/webp");
  // The full image is stored last: if it exists, its previews exist too.
  await putObject(service, "files", objectName(stored), bytes, type);
  return { sha256, bytes: bytes.byteLength, name: fileName(name), type, width, height };
}

/**
 * Stores an upload under the hash of the stored bytes. Images are re-encoded; other files are
 * stored unchanged and never shown inline. Equal bytes are stored once. A file from a bundle must
 * match its declared hash. Rejects with the signal's reason if the caller disconnects.
 */
export async function settleUpload(
  writer: Writer,
  file: string,
  { name, asImage, sha256: announced }: Given,
  signal: AbortSignal,
): Promise<SettledFile | RefusedFile> {
  if (!asImage) {
    const settle = async () => {
      const given = await takeGiven(writer, file, announced);
      return typeof given === "string" ? given : keep(writer, name, plain(given));
    };
    return (await plainTurns.run(writer.userId, settle, signal)) ?? "too-many";
  }
  const beginning = await beginningOf(writer.service, uploadPath(writer, file));
  if (beginning === null) return "upload-missing";
  const settled = await inImageLane(writer.userId, laneOf(beginning), signal, async (make) => {
    const given = await takeGiven(writer, file, announced);
    if (typeof given === "string") return given;
    const made = await make({ make: "stored", bytes: given, isRestored: announced !== undefined });
    return typeof made === "string" ? made : keep(writer, name, made);
  });
  return settled === "spent" ? "too-slow" : (settled ?? "too-many");
}

/** Marks the bytes of a refused file for deletion, unless a document uses the bytes. */
export async function markUnusedFile(
  { service, workspace }: Writer,
  sha256: string,
): Promise<void> {
  const { error, status } = await service.rpc("mark_unused_file", { workspace, sha256 });
  if (error) throw faultOf(error, status);
}
