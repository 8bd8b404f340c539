import type { ImageType } from "@/events/core/file-types";
import { bareAvif } from "./avif-picture";
import { isGifAlone } from "./gif-picture";
import { isJpegAlone } from "./jpeg-picture";
import { isPngAlone } from "./png-picture";
import { bareWebp } from "./webp-picture";

const viewOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Whether an image's bytes contain only the data that shows its pixels: no metadata and no trailing
 * data. False if the image cannot be parsed.
 */
export function isPictureAlone(bytes: Uint8Array, type: ImageType): boolean {
  const view = viewOf(bytes);
  switch (type) {
    case "image/png":
      return isPngAlone(view);
    case "image/jpeg":
      return isJpegAlone(view);
    case "image/gif":
      return isGifAlone(view);
    case "image/webp":
    case "image/avif":
      return barePicture(bytes, type)?.equals(view) ?? false;
  }
}

/**
 * Returns a WebP or AVIF without everything that does not show its pixels, for images that
 * re-encoding would degrade. Returns null if the image cannot be parsed.
 */
export function barePicture(bytes: Uint8Array, type: "image/webp" | "image/avif"): Buffer | null {
  return type === "image/webp" ? bareWebp(viewOf(bytes)) : bareAvif(viewOf(bytes));
}
