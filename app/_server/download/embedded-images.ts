import type { SupabaseClient } from "@supabase/supabase-js";
import { imageTypeOf, mostPixels } from "@/events/core/file-types";
import type { FileImage, FileImages } from "@/events/formats/writing/file-images";

/** An image in a text, with its Storage objects in order of preference. */
export type ShownImage = { file: string; objects: string[] };

/** The most bytes of images in a file. Images beyond this limit become links. */
const mostBytes = 96 * 2 ** 20;

/** The limits on re-encoding for a file: total pixels, and seconds per image. */
const mostMadePixels = 3 * mostPixels;
const longestMake = 15;

/**
 * Returns the image unchanged, or as PNG or JPEG if the format supports no other. Returns null if
 * the conversion would exceed the pixel budget.
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

/** Reads the bytes of the first object that exists, or null if all were just deleted. */
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

/** Downloads a text's images in a format that a file can embed, within time and size limits. */
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
