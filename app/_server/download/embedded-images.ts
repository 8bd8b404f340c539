import type { SupabaseClient } from "@supabase/supabase-js";
import { imageTypeOf, mostPixels } from "@/events/core/file-types";
import type { FileImage, FileImages } from "@/events/formats/writing/file-images";

/** A picture of a text, and where in Storage it is: first as large as a file shows it, if it is so. */
export type ShownImage = { file: string; objects: string[] };

/** As many bytes of pictures a file holds at most; of the others it has the words. */
const mostBytes = 96 * 2 ** 20;

/** As many pixels are made into another form for a file, and one picture in so many seconds at most. */
const mostMadePixels = 3 * mostPixels;
const longestMake = 15;

/**
 * A picture as it is, or as PNG or JPEG for what shows nothing else; null where that has more pixels
 * than are left.
 */
async function formOf(
  bytes: Uint8Array,
  plain: boolean,
  pixelsLeft: number,
): Promise<FileImage | null> {
  const type = imageTypeOf(bytes);
  if (type === null) return null;
  const { default: sharp } = await import("sharp");
  const opened = sharp(bytes, { limitInputPixels: mostPixels });
  const { width, height, hasAlpha } = await opened.metadata();
  if (!plain || type === "image/png" || type === "image/jpeg")
    return { type, bytes, width, height };
  if (width * height > pixelsLeft) return null;
  opened.timeout({ seconds: longestMake });
  const made = hasAlpha ? opened.png() : opened.jpeg({ quality: 88 });
  const form = hasAlpha ? "image/png" : "image/jpeg";
  return { type: form, bytes: new Uint8Array(await made.toBuffer()), width, height };
}

/** The first of these objects that is there; null where all were deleted in this moment. */
async function bytesOf(
  service: SupabaseClient,
  objects: readonly string[],
): Promise<Uint8Array | null> {
  for (const object of objects) {
    const { data } = await service.storage.from("files").download(object);
    if (data) return new Uint8Array(await data.arrayBuffer());
  }
  return null;
}

/** Reads the pictures of a text in a form that a file can hold, as many as there is time and room for. */
export async function embeddedImages(
  service: SupabaseClient | null,
  shown: readonly ShownImage[],
  { plain, isLate }: { plain: boolean; isLate: () => boolean },
): Promise<FileImages> {
  const images = new Map<string, FileImage>();
  let left = mostBytes;
  let pixelsLeft = mostMadePixels;
  for (const { file, objects } of shown) {
    if (service === null || left <= 0 || isLate()) break;
    const bytes = await bytesOf(service, objects);
    const image = bytes && bytes.length <= left ? await formOf(bytes, plain, pixelsLeft) : null;
    if (!image) continue;
    if (image.bytes !== bytes) pixelsLeft -= image.width * image.height;
    images.set(file, image);
    left -= image.bytes.length;
  }
  return images;
}
