import { imageAttributes } from "@/events/content/file-attributes";
import type { ImageAttributes } from "@/events/content/file-attributes";
import { elementsOf } from "./text-tree";
import type { TreeElement, TreeNode } from "./text-tree";

/** An image in a format that the target file can embed. */
export type FileImage = {
  type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif";
  bytes: Uint8Array;
  width: number;
  height: number;
};
/** The embedded images of a file, by the ids in the text. */
export type FileImages = ReadonlyMap<string, FileImage>;

export type PlacedImage = {
  image: FileImage;
  attributes: ImageAttributes;
  width: number;
  height: number;
};

/**
 * Returns the embedded image of a node with its layout size, limited to the given text width and
 * page height. Returns null for any other node.
 */
export function placedImage(
  { name, attributes: given }: TreeElement,
  images: FileImages,
  most: { width: number; height: number },
): PlacedImage | null {
  if (name !== "image") return null;
  const attributes = imageAttributes(given);
  const image = attributes.file === null ? undefined : images.get(attributes.file);
  if (!image) return null;
  const own = attributes.width ?? image.width;
  const wide = Math.min(own, (most.width * attributes.scale) / 100);
  const high = (wide * image.height) / image.width;
  const fit = Math.min(1, most.height / high);
  return {
    image,
    attributes,
    width: Math.max(1, Math.round(wide * fit)),
    height: Math.max(1, Math.round(high * fit)),
  };
}

/** Returns the ids of the images in a text, each once, in order. */
export function imagesInTree(nodes: readonly TreeNode[]): string[] {
  const found = elementsOf(nodes).flatMap((element): string[] => {
    const { file } = imageAttributes(element.attributes);
    return element.name === "image" && file !== null ? [file] : imagesInTree(element.children);
  });
  return [...new Set(found)];
}
