/** The images that browsers show and the service can re-encode. */
export const imageTypes = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
] as const;

/** The types of stored files: an image type, or bytes that are downloaded and never displayed. */
export const fileTypes = [...imageTypes, "application/octet-stream"] as const;

export type FileType = (typeof fileTypes)[number];
export type ImageType = (typeof imageTypes)[number];

/** The largest file in bytes, the same as in the storage bucket and in `file.attached`. */
export const mostFileBytes = 26_214_400;

/** The most pixels of an image over all frames, read from its header before decoding. */
export const mostPixels = 80_000_000;

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Returns the image type by the magic bytes, whatever the file's name. Null if none matches. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const signatures: [at: number, sign: string, type: ImageType][] = [
    [0, "\u0089PNG\r\n\u001a\n", "image/png"],
    [0, "\u00ff\u00d8\u00ff", "image/jpeg"],
    [0, "GIF87a", "image/gif"],
    [0, "GIF89a", "image/gif"],
    [4, "ftypavif", "image/avif"],
    [4, "ftypavis", "image/avif"],
  ];
  const found = signatures.find(([at, sign]) => ascii(bytes, at, at + sign.length) === sign);
  if (found) return found[2];
  return ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP" ? "image/webp" : null;
}
