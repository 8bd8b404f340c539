import { isDocumentId } from "./document-address";
import { bounds, within } from "./text-schema";

/** The alignment of an image that is narrower than the text. */
const aligns = ["left", "center", "right"] as const;
type Align = (typeof aligns)[number];

export function isAlignment(value: unknown): boolean {
  return aligns.some((known) => known === value);
}

/** An image's attributes, sanitized. */
export type ImageAttributes = {
  /** The subject of the `file.attached` event that recorded the image's bytes. */
  file: string | null;
  /** Alternative text, empty if there is none. */
  alt: string;
  caption: string;
  /** The intrinsic size in pixels, which reserves the image's space in the layout. */
  width: number | null;
  height: number | null;
  /** The displayed width in percent of the text's width. */
  scale: number;
  align: Align;
};

export type FileAttributes = { file: string | null; name: string; bytes: number | null };

/** The width in pixels at which a text's image is requested: twice its layout width. */
export const shownWidth = 1280;

/** Returns the path of a file's bytes, for readers of a document that the file is attached to. */
export function pathOfFile(file: string, width?: number): string {
  return `/files/${file}${width === undefined ? "" : `?w=${width}`}`;
}

const words = (value: unknown) => (typeof value === "string" ? value : "");
const size = (value: unknown) => {
  const number = within(value, bounds.pixels);
  return number === value ? number : null;
};

/** Reads and sanitizes an image's attributes. */
export function imageAttributes(given: Record<string, unknown>): ImageAttributes {
  const { file, alt, caption, width, height, scale, align } = given;
  const [wide, high] = [size(width), size(height)];
  return {
    file: isDocumentId(file) ? file : null,
    alt: words(alt),
    caption: words(caption),
    width: high === null ? null : wide,
    height: wide === null ? null : high,
    scale: within(scale, bounds.scale) === scale ? scale : bounds.scale[1],
    align: aligns.find((known) => known === align) ?? "left",
  };
}

/** Reads and sanitizes a file block's attributes. */
export function fileAttributes({ file, name, bytes }: Record<string, unknown>): FileAttributes {
  const count = within(bytes, bounds.bytes);
  return {
    file: isDocumentId(file) ? file : null,
    name: words(name).trim() || "File",
    bytes: count === bytes ? count : null,
  };
}

/** Formats a number of bytes: "214 KB", "4.2 MB". */
export function bytesWords(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.max(1, Math.round(bytes / 1_000))} KB`;
  const megabytes = bytes / 1_000_000;
  if (megabytes < 999.5) return `${Number(megabytes.toFixed(megabytes < 10 ? 1 : 0))} MB`;
  return `${Number((bytes / 1_000_000_000).toFixed(1))} GB`;
}
