import { hasFewPixels } from "./picture-head";

/** By then every kind of image has told its size, whatever stands before that. */
const headBytes = 2 ** 20;

/**
 * The size of an image as it is shown, by the decoder that will show it; null of what it cannot
 * decode, and of what has more pixels than may be, which is not decoded at all.
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
