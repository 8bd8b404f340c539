import sharp from "sharp";
import type { Sharp } from "sharp";
import { previewWidths } from "./image-sizes";
import { barePicture, isPictureAlone } from "./pictures/bare-picture";
import { imageTypeOf, mostPixels } from "@/events/core/file-types";
import type { ImageType } from "@/events/core/file-types";

// Each of these processes handles one image at a time and leaves the other cores to requests.
sharp.concurrency(1);
sharp.cache(false);

/** An image in its stored form, with its previews. */
export type StoredImage = {
  bytes: Uint8Array;
  type: ImageType;
  width: number;
  height: number;
  previews: { width: number; bytes: Uint8Array }[];
};

/** A person's picture in its stored form. */
export type Square = { bytes: Uint8Array };

/** The reason why an image is refused. */
export type Unfit = "not-an-image" | "too-many-pixels";

const formats: Record<string, ImageType> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heif: "image/avif",
};

type Head = Awaited<ReturnType<Sharp["metadata"]>>;

const opened = (bytes: Uint8Array, animated: boolean) =>
  sharp(bytes, { animated, limitInputPixels: mostPixels, failOn: "error" });

/**
 * Returns the bytes that can be stored without re-encoding, stripped of everything except pixels.
 * Returns null if the image must be re-encoded. Re-encoding a WebP or an AVIF loses quality.
 */
function keptBytes(
  given: Uint8Array,
  type: ImageType,
  head: Head,
  isRestored: boolean,
): Uint8Array | null {
  if ((head.orientation ?? 1) !== 1) return null;
  if (type === "image/webp" || type === "image/avif") return barePicture(given, type);
  return isRestored && isPictureAlone(given, type) ? given : null;
}

function encoded(image: Sharp, type: ImageType, head: Head): Sharp {
  const upright = image.autoOrient().keepIccProfile();
  const chroma = head.chromaSubsampling === "4:4:4" ? "4:4:4" : "4:2:0";
  if (type === "image/jpeg") return upright.jpeg({ quality: 90, chromaSubsampling: chroma });
  if (type === "image/png") return upright.png();
  if (type === "image/gif") return image.gif();
  if (type === "image/webp") return upright.webp({ quality: 90, effort: 2 });
  return upright.avif({ quality: 70, effort: 2 });
}

/** Identifies an image by its header, or returns why it cannot be shown. */
async function identified(given: Uint8Array): Promise<{ type: ImageType; head: Head } | Unfit> {
  const type = imageTypeOf(given);
  if (type === null) return "not-an-image";
  const head = await sharp(given, { animated: true, limitInputPixels: false }).metadata();
  const frame = head.pageHeight ?? head.height;
  if (formats[head.format] !== type || (type === "image/avif" && head.compression !== "av1"))
    return "not-an-image";
  if (head.width * head.height > mostPixels || Math.max(head.width, frame) > 65_535)
    return "too-many-pixels";
  return { type, head };
}

/** Re-encodes an image from its pixels. */
async function madeAnew(given: Uint8Array, type: ImageType, head: Head, isAnimated: boolean) {
  const { data, info } = await encoded(opened(given, isAnimated), type, head).toBuffer({
    resolveWithObject: true,
  });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

/** The width to which an image is scaled when it is decoded only for validation. */
const decodedWidth = 64;

/**
 * Decodes an image once, to its end, and returns its previews. A truncated image throws. The
 * smaller previews are made from the widest.
 */
async function decoded(
  bytes: Uint8Array,
  width: number,
  isAnimated: boolean,
): Promise<StoredImage["previews"]> {
  const widths = isAnimated ? [] : previewWidths.filter((wide) => wide < width);
  const widest = widths.at(-1) ?? Math.min(width, decodedWidth);
  const { data, info } = await opened(bytes, isAnimated)
    .resize({ width: widest })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const previews = [];
  for (const wide of widths) {
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const small = sharp(data, { raw }).resize({ width: wide }).webp({ quality: 82 });
    previews.push({ width: wide, bytes: new Uint8Array(await small.toBuffer()) });
  }
  return previews;
}

/**
 * Re-encodes an image upright from its pixels, without location, hidden or trailing data. An image
 * restored from a bundle (`isRestored`) keeps its bytes if they hold only a picture. Returns a
 * reason if the image cannot be shown.
 */
export async function storedImage(
  given: Uint8Array,
  isRestored = false,
): Promise<StoredImage | Unfit> {
  try {
    const known = await identified(given);
    if (typeof known === "string") return known;
    const { type, head } = known;
    const isAnimated = (head.pages ?? 1) > 1;
    const kept = keptBytes(given, type, head, isRestored);
    const { bytes, width, height } = kept
      ? { bytes: kept, width: head.width, height: head.pageHeight ?? head.height }
      : await madeAnew(given, type, head, isAnimated);
    const previews = await decoded(bytes, width, isAnimated);
    return { bytes: new Uint8Array(bytes), type, width, height, previews };
  } catch {
    // Any error of the library means that the image cannot be decoded.
    return "not-an-image";
  }
}

/**
 * Returns a person's picture: the most salient part of an image, as an upright square WebP of
 * `size` pixels without metadata. An animation is reduced to its first frame.
 */
export async function squarePicture(given: Uint8Array, size: number): Promise<Square | Unfit> {
  try {
    const known = await identified(given);
    if (typeof known === "string") return known;
    const { head } = known;
    // Crops before enlarging: scaling a one-pixel line to cover the square would take gigabytes.
    const side = Math.min(size, head.width, head.pageHeight ?? head.height);
    const square = await opened(given, false)
      .autoOrient()
      .resize({ width: side, height: side, fit: "cover", position: sharp.strategy.attention })
      .png()
      .toBuffer();
    const made = sharp(square).resize({ width: size, height: size }).webp({ quality: 86 });
    return { bytes: new Uint8Array(await made.toBuffer()) };
  } catch {
    // Any error of the library means that the image cannot be decoded.
    return "not-an-image";
  }
}
