import { squarePicture, storedImage } from "../image";
import type { Square, StoredImage, Unfit } from "../image";

/** The kinds of image jobs with their input. */
type Needs = {
  stored: { bytes: Uint8Array; isRestored: boolean };
  square: { bytes: Uint8Array; size: number };
};
export type ImageResult = { stored: StoredImage | Unfit; square: Square | Unfit };
export type Make = keyof Needs;

export type ImageJob<Made extends Make = Make> = {
  [Each in Made]: { make: Each } & Needs[Each];
}[Made];

const makers: { [Each in Make]: (job: ImageJob<Each>) => Promise<ImageResult[Each]> } = {
  stored: ({ bytes, isRestored }) => storedImage(bytes, isRestored),
  square: ({ bytes, size }) => squarePicture(bytes, size),
};

/** Runs a job in the calling process. */
export function doImageJob<Made extends Make>(job: ImageJob<Made>): Promise<ImageResult[Made]> {
  return makers[job.make](job);
}
