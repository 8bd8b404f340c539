import { hasFewPixels } from "./picture-head";

/** Every kind of image declares its size within these first bytes. */
const headBytes = 2 ** 20;

/**
 * An image's displayed size, by the decoder that will display it. Null if it cannot be decoded, or
 * if it has too many pixels, in which case it is not decoded at all.
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
