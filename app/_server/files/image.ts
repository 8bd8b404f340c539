import sharp, { type Sharp } from "sharp";
import { previewWidths } from "./image-sizes";
import { isPictureAlone } from "./picture-alone";
import { type ImageType, imageTypeOf, mostPixels } from "@/events/core/file-types";

// Uploads take turns; the rest of the machine is for who reads and writes.
sharp.concurrency(1);
sharp.cache(false);

type StoredImage = {
  bytes: Uint8Array;
  type: ImageType;
  width: number;
  height: number;
  previews: { width: number; bytes: Uint8Array }[];
};

type Unfit = "not-an-image" | "too-many-pixels";

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

/** Whether an image says nothing beside its picture, by what its library finds in it. */
function isBare(head: Head): boolean {
  const says = [head.exif, head.xmp, head.iptc, head.tifftagPhotoshop].some((part) => part);
  return !says && (head.orientation ?? 1) === 1;
}

/** Made anew, these lose something. */
const isLossy = (type: ImageType) => type === "image/webp" || type === "image/avif";

function encoded(image: Sharp, type: ImageType, head: Head): Sharp {
  const upright = image.autoOrient().keepIccProfile();
  const chroma = head.chromaSubsampling === "4:4:4" ? "4:4:4" : "4:2:0";
  if (type === "image/jpeg") return upright.jpeg({ quality: 90, chromaSubsampling: chroma });
  if (type === "image/png") return upright.png();
  if (type === "image/gif") return image.gif();
  if (type === "image/webp") return upright.webp({ quality: 90, effort: 2 });
  return upright.avif({ quality: 70, effort: 2 });
}

/** What an image is, by its own head; why not, where it is none that can be shown. */
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

/**
 * Makes an image anew from its pixels, upright: where it was taken, what was hidden in it and what
 * was hung behind it is gone. One that comes back from a bundle (`isRestored`) keeps its bytes where
 * they are a picture alone. Answers why where it is none that can be shown.
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
    // Decoded to the end in either case: what breaks off half-way is no image.
    const anew = await encoded(opened(given, isAnimated), type, head).toBuffer({
      resolveWithObject: true,
    });
    const isKept = isBare(head) && (isLossy(type) || (isRestored && isPictureAlone(given, type)));
    const bytes = isKept ? given : anew.data;
    const width = anew.info.width;
    const height = anew.info.pageHeight ?? anew.info.height;
    const previews = [];
    for (const wide of isAnimated ? [] : previewWidths)
      if (width > wide) {
        const small = opened(bytes, false).resize({ width: wide }).webp({ quality: 82 });
        previews.push({ width: wide, bytes: new Uint8Array(await small.toBuffer()) });
      }
    return { bytes: new Uint8Array(bytes), type, width, height, previews };
  } catch {
    // Whatever the library says of it: it cannot be decoded.
    return "not-an-image";
  }
}

/**
 * The picture of a person: the part of an image that draws the eye, as a square WebP of `size`
 * pixels, upright, with nothing beside its pixels; of one that moves, how it begins.
 */
export async function squarePicture(given: Uint8Array, size: number): Promise<Uint8Array | Unfit> {
  try {
    const known = await identified(given);
    if (typeof known === "string") return known;
    const { head } = known;
    // What is smaller is enlarged as a square alone: to cover one, a line of pixels would come to gigabytes.
    const side = Math.min(size, head.width, head.pageHeight ?? head.height);
    const square = await opened(given, false)
      .autoOrient()
      .resize({ width: side, height: side, fit: "cover", position: sharp.strategy.attention })
      .png()
      .toBuffer();
    const made = sharp(square).resize({ width: size, height: size }).webp({ quality: 86 });
    return new Uint8Array(await made.toBuffer());
  } catch {
    // Whatever the library says of it: it cannot be decoded.
    return "not-an-image";
  }
}
