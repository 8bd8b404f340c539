import { fileAttributes, imageAttributes, pathOfFile } from "@/events/content/file-attributes";
import type { TreeElement } from "./text-tree";

type Words = { words: string; path: string | null };

/** The words for an image or a file where only words are possible; null for any other node. */
export function wordsOfFile({ name, attributes }: TreeElement): Words | null {
  if (name !== "image" && name !== "file") return null;
  const image = imageAttributes(attributes);
  const { file } = image;
  const imageWords = [image.alt, image.caption].find((words) => words.trim() !== "") ?? "Image";
  const words = name === "image" ? imageWords : fileAttributes(attributes).name;
  return { words, path: file === null ? null : pathOfFile(file) };
}

/** The same as a paragraph with a link to the file; any other node is returned unchanged. */
export function inWords(element: TreeElement): TreeElement {
  const file = wordsOfFile(element);
  if (file === null) return element;
  const marks = file.path === null ? {} : { link: { href: file.path } };
  return { name: "paragraph", attributes: {}, children: [{ text: file.words, marks }] };
}
