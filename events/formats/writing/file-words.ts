import { fileAttributes, imageAttributes, pathOfFile } from "@/events/content/file-attributes";
import type { TreeElement } from "./text-tree";

type Words = { words: string; path: string | null };

/** Returns words for an image or file where only words are possible, or null for other nodes. */
export function wordsOfFile({ name, attributes }: TreeElement): Words | null {
  if (name !== "image" && name !== "file") return null;
  const image = imageAttributes(attributes);
  const { file } = image;
  const imageWords = [image.alt, image.caption].find((words) => words.trim() !== "") ?? "Image";
  const words = name === "image" ? imageWords : fileAttributes(attributes).name;
  return { words, path: file === null ? null : pathOfFile(file) };
}

/** Returns an image or file as a paragraph with a link, and any other node unchanged. */
export function inWords(element: TreeElement): TreeElement {
  const file = wordsOfFile(element);
  if (file === null) return element;
  const marks = file.path === null ? {} : { link: { href: file.path } };
  return { name: "paragraph", attributes: {}, children: [{ text: file.words, marks }] };
}
