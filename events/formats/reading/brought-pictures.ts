import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { imageAttributes } from "@/events/content/file-attributes";
import { documentSchema } from "@/events/content/schema";
import { fromBase64 } from "@/events/core/bytes/base64";
import { fileName } from "@/events/core/text/file-name";
import { imageTypeOf, mostFileBytes } from "@/events/core/file-types";

/** An image of an imported file, with the id by which the new text names it. */
export type BroughtPicture = { file: string; name: string; bytes: Uint8Array };

/** An image as stored in the file. */
export type FoundPicture = { name: string; bytes: Uint8Array };

export type PictureWays = {
  newId: () => string;
  /** Resolves to the displayed size of an image, or to null if it cannot be displayed. */
  sizeOf: (bytes: Uint8Array) => Promise<{ width: number; height: number } | null>;
};

/** Finds an image of one text, embedded in it or beside it. */
export type PictureSource = (address: string) => FoundPicture | null;

const inAddress = /^data:image\/(png|jpe?g|gif|webp|avif);base64,/i;

/** Reads the image in a data URL. */
function pictureInAddress(address: string): FoundPicture | null {
  const [head, kind] = inAddress.exec(address) ?? [];
  if (head === undefined) return null;
  try {
    const bytes = fromBase64(decodeURIComponent(address.slice(head.length)).replace(/\s+/g, ""));
    return { name: `image.${kind === "jpeg" ? "jpg" : kind}`, bytes };
  } catch {
    // The data is truncated or not base64.
    return null;
  }
}

const isFit = (bytes: Uint8Array) =>
  bytes.length > 0 && bytes.length <= mostFileBytes && imageTypeOf(bytes) !== null;

/** Collects one text's images while it is read. */
export class BroughtPictures {
  private readonly pictures = new Map<string, BroughtPicture>();
  private readonly source: PictureSource;
  private readonly ways: PictureWays;

  constructor(source: PictureSource, ways: PictureWays) {
    this.source = source;
    this.ways = ways;
  }

  /** Returns the id of the image at an address, or null if the import does not contain it. */
  readonly take = (address: string): string | null => {
    const known = this.pictures.get(address);
    if (known) return known.file;
    const found = pictureInAddress(address) ?? this.source(address);
    if (!found || !isFit(found.bytes)) return null;
    const file = this.ways.newId();
    this.pictures.set(address, { file, name: fileName(found.name), bytes: found.bytes });
    return file;
  };

  /**
   * Sets the sizes of a text's images. Replaces images that cannot be displayed by their words, and
   * counts them by `left`.
   */
  async settle(
    text: Node,
    left: (what: string) => void,
  ): Promise<{ text: Node; pictures: BroughtPicture[] }> {
    const named = new Set<unknown>();
    text.descendants((node) => void named.add(node.attrs.file));
    const pictures: BroughtPicture[] = [];
    const sizes = new Map<string, { width: number; height: number }>();
    for (const picture of this.pictures.values()) {
      if (!named.has(picture.file)) continue;
      const size = await this.ways.sizeOf(picture.bytes);
      if (size === null) left("pictures");
      else {
        pictures.push(picture);
        sizes.set(picture.file, size);
      }
    }
    return { text: withSizes(text, sizes), pictures };
  }
}

function withSizes(node: Node, sizes: ReadonlyMap<string, object>): Node {
  if (node.type.name === "image") {
    const { file, alt, caption } = imageAttributes(node.attrs);
    const size = file === null ? undefined : sizes.get(file);
    if (size) return node.type.create({ ...node.attrs, ...size });
    const words = [alt, caption].filter((each) => each !== "").join(" ") || "Picture";
    return documentSchema.node("paragraph", null, [documentSchema.text(words)]);
  }
  if (node.isLeaf) return node;
  return node.copy(Fragment.from(node.children.map((child) => withSizes(child, sizes))));
}
