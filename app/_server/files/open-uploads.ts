import * as z from "zod/mini";
import { reportError } from "@/events/core/error-report";
import { faultOf, StoreFault } from "@/events/log/store";
import { removeObjects } from "./stored-files";
import type { Uploader } from "./writing-rights";

/** Where what a person sends of a file lies until it is looked at: nobody else has a say in it. */
export function uploadPath({ userId }: Pick<Uploader, "userId">, file: string): string {
  return `${userId}/${file.toLowerCase()}`;
}

/** Counts what comes of a file from now on until `endUpload`; false where too many of this person's are open. */
export async function countUpload({ service, userId }: Uploader, file: string): Promise<boolean> {
  const begun = await service.rpc("begin_upload", { person: userId, file });
  if (begun.error) throw faultOf(begun.error, begun.status);
  return z.boolean().parse(begun.data);
}

/** The address to which a person can send a file; null where too many of theirs are open. */
export async function beginUpload(uploader: Uploader, file: string): Promise<string | null> {
  if (!(await countUpload(uploader, file))) return null;
  const path = uploadPath(uploader, file);
  // What was sent in part, or before, gives way.
  const { data, error } = await uploader.service.storage
    .from("uploads")
    .createSignedUploadUrl(path, { upsert: true });
  if (error) throw new StoreFault(error.message, 503);
  return `/storage/v1/object/upload/sign/uploads/${path}?token=${encodeURIComponent(data.token)}`;
}

/** Takes away what a person has sent, so that they can begin another upload in its place. */
async function endUpload(uploader: Uploader, file: string): Promise<void> {
  const { service, userId } = uploader;
  await removeObjects(service, "uploads", [uploadPath(uploader, file)]);
  const ended = await service.rpc("end_upload", { person: userId, file });
  if (ended.error) throw faultOf(ended.error, ended.status);
}

/** Ends an upload that is done with, if that goes well: what stays is deleted a day later. */
export async function leaveUpload(uploader: Uploader, file: string): Promise<void> {
  await endUpload(uploader, file).catch((error: unknown) =>
    reportError(error, { during: "ending an upload" }),
  );
}
