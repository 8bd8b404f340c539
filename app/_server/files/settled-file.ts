import { bytesToHex } from "@noble/hashes/utils.js";
import { fileName } from "@/events/core/file-name";
import { type FileType, mostFileBytes } from "@/events/core/file-types";
import { digest } from "@/events/core/sha256";
import { faultOf } from "@/events/log/store";
import { uploadTurns } from "./upload-turns";
import type { RefusedFile } from "./file-words";
import { storedImage } from "./image";
import { uploadPath } from "./open-uploads";
import { objectName, putObject, takeUpload } from "./stored-files";
import type { Writer } from "./writing-rights";

type Given = {
  name: string;
  asImage: boolean;
  /** What a bundle says that its bytes hash to. */
  sha256?: string | undefined;
};

/** What `file.attached` says of a file. */
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

const hashOf = async (bytes: Uint8Array) => bytesToHex(await digest(new Uint8Array(bytes)));

/**
 * Keeps what a person has sent of a file, under the hash of what is kept: an image made anew,
 * everything else as it is and never to be shown. The same bytes are kept once. What comes back from
 * a bundle has to be what that said.
 */
export async function settleUpload(
  writer: Writer,
  file: string,
  { name, asImage, sha256: announced }: Given,
): Promise<SettledFile | RefusedFile> {
  const { service, workspace, userId } = writer;
  const settled = await uploadTurns.run(userId, async (): Promise<SettledFile | RefusedFile> => {
    const given = await takeUpload(service, uploadPath(writer, file));
    if (given === null) return "upload-missing";
    if (given.byteLength === 0) return "empty";
    if (given.byteLength > mostFileBytes) return "too-large";
    const isRestored = announced !== undefined;
    if (isRestored && (await hashOf(given)) !== announced) return "differs";
    const made = asImage ? await storedImage(given, isRestored) : plain(given);
    if (typeof made === "string") return made;
    const { bytes, type, width, height, previews } = made;
    if (bytes.byteLength > mostFileBytes) return "too-large";
    const sha256 = await hashOf(bytes);
    const stored = { workspace, sha256 };
    for (const preview of previews)
      await putObject(
        service,
        "files",
        objectName(stored, preview.width),
        preview.bytes,
        "image/webp",
      );
    // Last: who finds it finds the smaller ones, too.
    await putObject(service, "files", objectName(stored), bytes, type);
    return { sha256, bytes: bytes.byteLength, name: fileName(name), type, width, height };
  });
  return settled ?? "too-many";
}

/** Has the bytes of a file deleted that was refused, unless a document uses them. */
export async function markUnusedFile(
  { service, workspace }: Writer,
  sha256: string,
): Promise<void> {
  const { error, status } = await service.rpc("mark_unused_file", { workspace, sha256 });
  if (error) throw faultOf(error, status);
}
