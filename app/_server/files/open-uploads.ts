import * as z from "zod/mini";
import { reportError } from "@/events/core/error-report";
import { faultOf, StoreFault } from "@/events/log/store";
import { removeObjects, statusOf } from "./stored-files";
import type { Uploader } from "./writing-rights";

/** Returns the object name of a person's upload until it is checked. Only they can write to it. */
export function uploadPath({ userId }: Pick<Uploader, "userId">, file: string): string {
  return `${userId}/${file.toLowerCase()}`;
}

/** Counts an upload as open until `endUpload`. Resolves to false if the person has too many. */
export async function countUpload({ service, userId }: Uploader, file: string): Promise<boolean> {
  const begun = await service.rpc("begin_upload", { person: userId, file });
  if (begun.error) throw faultOf(begun.error, begun.status);
  return z.boolean().parse(begun.data);
}

/** The size and hash that the client declares before an upload. */
type Announced = { bytes: number; sha256?: string | undefined };

/** The status with which Storage answers when the disk is full. */
const diskIsFull = 507;

/**
 * Returns the address to which a person can upload a file, or a reason for refusing. The address
 * accepts one upload of the announced size. It invalidates earlier addresses for the same file.
 */
export async function beginUpload(
  uploader: Uploader,
  file: string,
  { bytes, sha256 }: Announced,
): Promise<{ address: string } | "too-many" | "no-disk"> {
  const { service, userId } = uploader;
  const begun = await service.rpc("begin_sending", {
    person: userId,
    file,
    bytes,
    sha256: sha256 ?? null,
  });
  if (begun.error) throw faultOf(begun.error, begun.status);
  const address = z.nullable(z.uuid()).parse(begun.data);
  if (address === null) return "too-many";
  const path = uploadPath(uploader, file);
  // The new upload replaces a partial or earlier one.
  const { data, error } = await service.storage
    .from("uploads")
    .createSignedUploadUrl(path, { upsert: true });
  if (error && statusOf(error) === diskIsFull) {
    await endUpload(uploader, file);
    return "no-disk";
  }
  if (error) throw new StoreFault(error.message, 503);
  const query = new URLSearchParams({ token: data.token, upload: address });
  return { address: `/storage/v1/object/upload/sign/uploads/${path}?${query.toString()}` };
}

const announcement = z.nullable(
  z.object({ bytes: z.nullable(z.number()), sha256: z.nullable(z.string()) }),
);

/** Whether an upload matches its announcement. */
export async function isAnnounced(
  { service, userId }: Uploader,
  file: string,
  sent: { bytes: number; sha256: () => Promise<string> },
): Promise<boolean> {
  const { data, error, status } = await service.rpc("announced_upload", { person: userId, file });
  if (error) throw faultOf(error, status);
  const announced = announcement.parse(data);
  if (announced?.bytes != null && announced.bytes !== sent.bytes) return false;
  return announced?.sha256 == null || announced.sha256 === (await sent.sha256());
}

/** Deletes an upload and ends it, so that the person can begin another. */
async function endUpload(uploader: Uploader, file: string): Promise<void> {
  const { service, userId } = uploader;
  await removeObjects(service, "uploads", [uploadPath(uploader, file)]);
  const ended = await service.rpc("end_upload", { person: userId, file });
  if (ended.error) throw faultOf(ended.error, ended.status);
}

/** Ends a finished upload on a best-effort basis: leftovers are deleted a day later. */
export async function leaveUpload(uploader: Uploader, file: string): Promise<void> {
  await endUpload(uploader, file).catch((error: unknown) =>
    reportError(error, { during: "ending an upload" }),
  );
}
