import { isDocumentId } from "./document-address";
import { bounds, within } from "./text-schema";

/** Where a picture stands that is narrower than the text. */
const aligns = ["left", "center", "right"] as const;
type Align = (typeof aligns)[number];

/** Whether this says where a picture stands. */
export function isAlignment(value: unknown): boolean {
  return aligns.some((known) => known === value);
}

/** What a picture of a text is, whatever somebody put into the attributes of its node. */
export type ImageAttributes = {
  /** The subject of the `file.attached` that brought its bytes. */
  file: string | null;
  /** What it shows, for who does not see it; empty where nobody has said. */
  alt: string;
  caption: string;
  /** Its own size in pixels: by it the room is kept that it will take. */
  width: number | null;
  height: number | null;
  /** How much of the text's width it takes, in hundredths. */
  scale: number;
  align: Align;
};

/** What a file of a text is. */
export type FileAttributes = { file: string | null; name: string; bytes: number | null };

/** How wide the picture of a text is fetched: twice what it takes there. */
export const shownWidth = 1280;

/** The path at which the bytes of a file are, for whoever may read a document that it was attached to. */
export function pathOfFile(file: string, width?: number): string {
  return `/files/${file}${width === undefined ? "" : `?w=${width}`}`;
}

const words = (value: unknown) => (typeof value === "string" ? value : "");
const size = (value: unknown) => {
  const number = within(value, bounds.pixels);
  return number === value ? number : null;
};

/** Reads the attributes of a picture. */
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

/** Reads the attributes of a file. */
export function fileAttributes({ file, name, bytes }: Record<string, unknown>): FileAttributes {
  const count = within(bytes, bounds.bytes);
  return {
    file: isDocumentId(file) ? file : null,
    name: words(name).trim() || "File",
    bytes: count === bytes ? count : null,
  };
}

/** A number of bytes as people say it: "214 KB", "4.2 MB". */
export function bytesWords(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.max(1, Math.round(bytes / 1_000))} KB`;
  const megabytes = bytes / 1_000_000;
  if (megabytes < 999.5) return `${Number(megabytes.toFixed(megabytes < 10 ? 1 : 0))} MB`;
  return `${Number((bytes / 1_000_000_000).toFixed(1))} GB`;
}
