import { hasFewPixels } from "./picture-head";

/** The bytes at the beginning of a file in which every kind of image declares its size. */
const headBytes = 2 ** 20;

/**
 * Returns an image's displayed size, measured by the decoder that will display it. Returns null if
 * the image cannot be decoded. An image with too many pixels is not decoded and also returns null.
 */
export async function shownSize(image: Blob): Promise<{ width: number; height: number } | null> {
  const head = new Uint8Array(await image.slice(0, headBytes).arrayBuffer());
  if (!hasFewPixels(head)) return null;
  const decoded = await createImageBitmap(image).catch(() => null);
  if (decoded === null) return null;
  const { width, height } = decoded;
  decoded.close();
  return { width, height };
}
