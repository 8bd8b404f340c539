import { Node } from "@tiptap/core";
import type { DOMOutputSpec } from "@tiptap/pm/model";
import { isolated } from "@/events/core/text/isolated";
import {
  bytesWords,
  fileAttributes,
  imageAttributes,
  pathOfFile,
  shownWidth,
} from "./file-attributes";

const attributesOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { default: null, rendered: false }]));

function imageSpec(given: Record<string, unknown>): DOMOutputSpec {
  const { file, alt, caption, width, height, scale, align } = imageAttributes(given);
  const picture = {
    alt,
    ...(width !== null && height !== null && { width, height }),
    loading: "lazy",
    decoding: "async",
    ...(file !== null && { src: pathOfFile(file, shownWidth) }),
  };
  return [
    "figure",
    {
      class: "image",
      "data-file": file ?? "",
      "data-align": align,
      "data-scale": scale,
      style: `--scale:${scale}%`,
    },
    ["img", picture],
    ...(caption === "" ? [] : [["figcaption", {}, caption]]),
  ];
}

function numberOf(element: Element | null, name: string): number | null {
  const text = element?.getAttribute(name) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** An image block that names its file. Texts hold no image bytes. */
export const Image = Node.create({
  name: "image",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () =>
    attributesOf(["file", "alt", "caption", "width", "height", "scale", "align"]),
  parseHTML: () => [
    {
      tag: "figure[data-file]",
      getAttrs: (figure: HTMLElement) => {
        const picture = figure.querySelector("img");
        const read = imageAttributes({
          file: figure.dataset.file,
          alt: picture?.getAttribute("alt"),
          caption: figure.querySelector("figcaption")?.textContent,
          width: numberOf(picture, "width"),
          height: numberOf(picture, "height"),
          scale: numberOf(figure, "data-scale"),
          align: figure.dataset.align,
        });
        return read.file !== null && read;
      },
    },
  ],
  renderHTML: ({ node }) => imageSpec(node.attrs),
  renderText({ node }) {
    const { alt, caption } = imageAttributes(node.attrs);
    return caption || alt;
  },
});

/** A block that names a downloadable file. */
export const FileBlock = Node.create({
  name: "file",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => attributesOf(["file", "name", "bytes"]),
  parseHTML: () => [
    {
      tag: "div[data-file]",
      getAttrs: (element: HTMLElement) => {
        const read = fileAttributes({
          file: element.dataset.file,
          name: element.dataset.name,
          bytes: numberOf(element, "data-bytes"),
        });
        return read.file !== null && read;
      },
    },
  ],
  renderHTML({ node }) {
    const { file, name, bytes } = fileAttributes(node.attrs);
    const address = file === null ? {} : { href: pathOfFile(file), download: "" };
    return [
      "div",
      { class: "file", "data-file": file ?? "", "data-name": name, "data-bytes": bytes ?? "" },
      ["a", address, isolated(name)],
      ...(bytes === null ? [] : [["span", {}, bytesWords(bytes)]]),
    ];
  },
  renderText: ({ node }) => fileAttributes(node.attrs).name,
});
