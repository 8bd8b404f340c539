import type { Definition, PhrasingContent } from "mdast";
import type { Mark, Node } from "@tiptap/pm/model";
import { firstCodePoints } from "@/events/core/code-points";
import { targetOfAddress } from "@/events/content/document-address";
import { safeAddress } from "@/events/content/safe-address";
import { documentSchema } from "@/events/content/schema";

/** What is known of a file while its words are read. */
export type ReadingContext = {
  /** The site whose documents a link may lead to. */
  origin: string;
  definitions: ReadonlyMap<string, Definition>;
  /** Counts what could not be brought along, by what it is. */
  left: (what: string) => void;
  /** The picture at an address, as a file of the new document; null where none comes with the file. */
  pictureOf: (address: string) => string | null;
};

const marked = { strong: "bold", emphasis: "italic", delete: "strike" } as const;
const underlining = /^<(\/?)(?:u|ins)(?:\s[^>]*)?>$/i;
const breaking = /^<br\s*\/?>$/i;

function withMark(marks: readonly Mark[], name: string, attributes?: Record<string, unknown>) {
  return documentSchema.marks[name]?.create(attributes).addToSet(marks) ?? marks;
}

function words(value: string, marks: readonly Mark[]): Node[] {
  const text = value.replace(/[\r\n]+/g, " ").replaceAll("\0", "\ufffd");
  return text === "" ? [] : [documentSchema.text(text, marks)];
}

function linked(
  address: string,
  children: readonly PhrasingContent[],
  marks: readonly Mark[],
  reading: ReadingContext,
): Node[] {
  const target = targetOfAddress(address, reading.origin);
  if (target !== null) return [documentSchema.node("documentLink", target)];
  // A place in the file itself is none here.
  if (address.startsWith("#")) return inline(children, marks, reading);
  const href = safeAddress(address);
  if (href === null) reading.left("addresses that a link may not have");
  return inline(children, href === null ? marks : withMark(marks, "link", { href }), reading);
}

type Picture = { url: string; alt?: string | null | undefined; title?: string | null | undefined };

/** Half of the letters that the schema takes, of which one may count twice. */
const mostAboutPicture = 500;
const about = (text: string | null | undefined) =>
  firstCodePoints((text ?? "").replaceAll("\0", "\ufffd").trim(), mostAboutPicture);

/**
 * A picture that comes with the file is an image, which is a block; another one is a link to it, or
 * its words where nothing can lead there.
 */
function picture(
  { url, alt: said, title }: Picture,
  marks: readonly Mark[],
  reading: ReadingContext,
): Node[] {
  const alt = said ?? "";
  const file = reading.pictureOf(url);
  if (file !== null)
    return [documentSchema.node("image", { file, alt: about(alt), caption: about(title) })];
  const href = safeAddress(url);
  const isElsewhere = href !== null && /^https?:/i.test(href);
  reading.left(isElsewhere ? "pictures on other sites" : "pictures");
  const name = alt.trim() === "" ? (isElsewhere ? href : "Picture") : alt;
  return words(name, isElsewhere ? withMark(marks, "link", { href }) : marks);
}

function one(node: PhrasingContent, marks: readonly Mark[], reading: ReadingContext): Node[] {
  switch (node.type) {
    case "text":
      return words(node.value, marks);
    case "strong":
    case "emphasis":
    case "delete":
      return inline(node.children, withMark(marks, marked[node.type]), reading);
    case "inlineCode": {
      const link = marks.filter(({ type }) => type.name === "link");
      return words(node.value, withMark(link, "code"));
    }
    case "break":
      return [documentSchema.node("hardBreak")];
    case "link":
      return linked(node.url, node.children, marks, reading);
    case "linkReference": {
      const definition = reading.definitions.get(node.identifier);
      return definition
        ? linked(definition.url, node.children, marks, reading)
        : inline(node.children, marks, reading);
    }
    case "image":
      return picture(node, marks, reading);
    case "imageReference": {
      const { url = "", title } = reading.definitions.get(node.identifier) ?? {};
      return picture({ url, title, alt: node.alt }, marks, reading);
    }
    case "footnoteReference":
      return words(`[${node.label ?? node.identifier}]`, marks);
    default:
      return [];
  }
}

/** The tags of images in HTML: between two ends of tags there is one at most, so each letter is read once. */
function imageTags(html: string): string[] {
  return html
    .split(">")
    .slice(0, -1)
    .flatMap((part) => {
      const at = part.search(/<img\s/i);
      return at < 0 ? [] : [part.slice(at)];
    });
}

/** The pictures that HTML among Markdown shows. */
function htmlPictures(html: string, marks: readonly Mark[], reading: ReadingContext): Node[] {
  return imageTags(html).flatMap((tag) => {
    const valueOf = (name: string) => {
      const [, , quoted, bare] =
        new RegExp(`\\s${name}\\s*=\\s*(?:(["'])(.*?)\\1|([^\\s"'>]+))`, "is").exec(tag) ?? [];
      return (quoted ?? bare ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    };
    return picture(
      { url: valueOf("src"), alt: valueOf("alt"), title: valueOf("title") },
      marks,
      reading,
    );
  });
}

/**
 * The words of a block with their marks; of HTML among them only what says a mark or a break, or
 * shows a picture. Images are among them, which are blocks: see `blocksOfWords`.
 */
export function inline(
  nodes: readonly PhrasingContent[],
  marks: readonly Mark[],
  reading: ReadingContext,
): Node[] {
  let underlined = 0;
  return nodes.flatMap((node) => {
    if (node.type === "html") {
      const [, closing] = underlining.exec(node.value) ?? [];
      if (closing !== undefined) underlined = Math.max(0, underlined + (closing === "" ? 1 : -1));
      return breaking.test(node.value)
        ? [documentSchema.node("hardBreak")]
        : htmlPictures(node.value, marks, reading);
    }
    return one(node, underlined > 0 ? withMark(marks, "underline") : marks, reading);
  });
}

/** Words as blocks that `wrap` makes of them: an image among them is a block of its own. */
export function blocksOfWords(
  nodes: readonly Node[],
  wrap: (content: readonly Node[]) => Node,
): Node[] {
  if (nodes.every(({ isInline }) => isInline)) return [wrap(nodes)];
  const blocks: Node[] = [];
  let run: Node[] = [];
  const end = () => {
    // What parts an image from words in a line parts blocks already.
    if (run.some(({ text, type }) => type.name === "documentLink" || (text ?? "").trim() !== ""))
      blocks.push(wrap(run));
    run = [];
  };
  for (const node of nodes) {
    if (node.isInline) run.push(node);
    else {
      end();
      blocks.push(node);
    }
  }
  end();
  return blocks;
}
