import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { readRows } from "@/events/log/paged-rows";
import { mostFileBytes } from "@/events/core/file-types";
import { StoreFault } from "@/events/log/store";
import { hashOf } from "@/app/_server/files/file-hash";
import { inImageLane, laneOf } from "@/app/_server/files/images/image-lanes";
import { isAnnounced, uploadPath } from "@/app/_server/files/open-uploads";
import { beginningOf, putObject, takeUpload } from "@/app/_server/files/stored-files";
import type { Uploader } from "@/app/_server/files/writing-rights";
import type { RefusedPicture } from "./picture-words";

/** Width and height of a stored picture in pixels. Pages show it at a third of that at most. */
const pictureSize = 192;

/** The most stored pictures per person. A background run deletes those that are not in use. */
const mostStored = 32;

/** Returns the object name of a picture in the `avatars` bucket. */
export function pictureName(person: string, picture: string): string {
  return `${person}/${picture}`;
}

const accountRow = z.object({ picture: z.nullable(z.string()) });

/** Reads the id of a person's picture under the caller's rights. Resolves to null without one. */
export async function pictureOf(client: SupabaseClient, person: string): Promise<string | null> {
  const found = await client.from("accounts").select("picture").eq("user_id", person);
  return readRows(found, accountRow)[0]?.picture ?? null;
}

/**
 * Stores an uploaded picture under a new id. Returns the reason for a refusal, or null. Rejects
 * with the signal's reason if the caller disconnects.
 */
export async function storePicture(
  { service, userId }: Uploader,
  picture: string,
  signal: AbortSignal,
): Promise<RefusedPicture | null> {
  const path = uploadPath({ userId }, picture);
  const beginning = await beginningOf(service, path);
  if (beginning === null) return "upload-missing";
  const lane = laneOf(beginning);
  const stored = await inImageLane<RefusedPicture | "stored" | "spent">(
    userId,
    lane,
    signal,
    async (make) => {
      const { data, error } = await service.storage
        .from("avatars")
        .list(userId, { limit: mostStored });
      if (error) throw new StoreFault(error.message, 503);
      if (data.length >= mostStored) return "too-many-pictures";
      const given = await takeUpload(service, path);
      if (given === null) return "upload-missing";
      if (given.byteLength === 0) return "empty";
      if (given.byteLength > mostFileBytes) return "too-large";
      const sent = { bytes: given.byteLength, sha256: () => hashOf(given) };
      if (!(await isAnnounced({ service, userId }, picture, sent))) return "upload-missing";
      const made = await make({ make: "square", bytes: given, size: pictureSize });
      if (typeof made === "string") return made;
      await putObject(service, "avatars", pictureName(userId, picture), made.bytes, "image/webp");
      return "stored";
    },
  );
  if (stored === null) return "too-many";
  return stored === "stored" ? null : stored === "spent" ? "too-slow" : stored;
}
