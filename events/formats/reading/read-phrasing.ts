import type { Definition, Nodes, PhrasingContent } from "mdast";
import type { Mark, Node } from "@tiptap/pm/model";
import { firstCodePoints } from "@/events/core/text/code-points";
import { pathOfTarget, targetOfAddress } from "@/events/content/document-address";
import { safeAddress } from "@/events/content/safe-address";
import { documentSchema } from "@/events/content/schema";
import { unwrapped } from "./archive-documents";
import type { DocumentSource } from "./archive-documents";
import { anchorIn, pathOfAnchor } from "./file-anchors";
import { spaced } from "./document-links";
import { wordsOfTree } from "./words-of-tree";

/** Context for reading a file's words. */
export type ReadingContext = {
  /** The origin of the site whose documents a link may lead to. */
  origin: string;
  definitions: ReadonlyMap<string, Definition>;
  /** Counts, by kind, content that could not be imported. */
  left: (what: string, count?: number) => void;
  /** Returns the file id of the image at an address, or null if the import lacks the image. */
  pictureOf: (address: string) => string | null;
  /** Finds the document that a link leads to, if the import contains that document. */
  documentOf?: DocumentSource | undefined;
  /** The future id of the file's document, for links to places in it. */
  own?: string | undefined;
  /** Returns the title of an existing document that the importing person may see, or null. */
  titleOf?: ((document: string) => string | null) | undefined;
};

const marked = { strong: "bold", delete: "strike" } as const;
/** HTML in our own Markdown, for formatting that Markdown lacks. */
const underlining = /^<(\/?)(?:u|ins)(?:\s[^>]*)?>$/i;
const breaking = /^<br\s*\/?>$/i;

/** Whether HTML among words keeps its meaning: a mark's tag, a break, or invisible content. */
export const isOwnSign = (html: string) =>
  underlining.test(html) || breaking.test(html) || /^<!--[^]*-->$/.test(html.trim());

function withMark(marks: readonly Mark[], name: string, attributes?: Record<string, unknown>) {
  return documentSchema.marks[name]?.create(attributes).addToSet(marks) ?? marks;
}

function words(value: string, marks: readonly Mark[]): Node[] {
  const text = value.replace(/[\r\n]+/g, " ").replaceAll("\0", "\ufffd");
  return text === "" ? [] : [documentSchema.text(text, marks)];
}

/** Whether the words of a document link are only the document's title. */
function saysTitle(content: readonly Node[], title: string | null): boolean {
  if (!content.every(({ isText }) => isText)) return false;
  const said = spaced(content.map(({ text = "" }) => text).join(""));
  return said === "" || (title !== null && said === (spaced(title) || "Untitled"));
}

function linked(
  given: string,
  children: readonly PhrasingContent[],
  marks: readonly Mark[],
  reading: ReadingContext,
): Node[] {
  const address = unwrapped(given);
  const isOwn = /^\s*#/.test(address);
  const name = anchorIn(address);
  const document = isOwn
    ? (reading.own ?? null)
    : (reading.documentOf?.(address, children.map(wordsOfTree).join("")) ?? null);
  if (document !== null && (name !== "" || !isOwn)) {
    const href =
      name === "" ? pathOfTarget({ document, block: null }) : pathOfAnchor(document, name);
    return inline(children, withMark(marks, "link", { href }), reading);
  }
  const target = targetOfAddress(address, reading.origin);
  if (target !== null) {
    const content = inline(
      children,
      withMark(marks, "link", { href: pathOfTarget(target) }),
      reading,
    );
    return saysTitle(content, reading.titleOf?.(target.document) ?? null)
      ? [documentSchema.node("documentLink", target)]
      : content;
  }
  // An empty address is not a link, and neither is the top of the file itself.
  if (/^\s*(?:#|$)/.test(address)) return inline(children, marks, reading);
  const href = safeAddress(address);
  if (href === null) reading.left("addresses that a link may not have");
  return inline(children, href === null ? marks : withMark(marks, "link", { href }), reading);
}

type Picture = { url: string; alt?: string | null | undefined; title?: string | null | undefined };

/** The most characters about an image: half of the schema's limit, as one may count twice. */
export const mostAboutPicture = 500;

/**
 * Reads an image. An image that the import contains becomes an image block. Any other becomes a
 * link to it, or its words if no link is possible.
 */
function picture(
  { url, alt: said, title }: Picture,
  marks: readonly Mark[],
  reading: ReadingContext,
): Node[] {
  const alt = said ?? "";
  const caption = (title ?? "").trim();
  const file = reading.pictureOf(url);
  const about = (text: string) => {
    const whole = text.replaceAll("\0", "\ufffd").trim();
    const cut = firstCodePoints(whole, mostAboutPicture);
    if (cut !== whole) reading.left("ends of long words about pictures");
    return cut;
  };
  if (file !== null)
    return [documentSchema.node("image", { file, alt: about(alt), caption: about(caption) })];
  const href = safeAddress(url);
  const isElsewhere = href !== null && /^https?:/i.test(href);
  reading.left(isElsewhere ? "pictures on other sites" : "pictures");
  const name = alt.trim() === "" ? (isElsewhere ? href : "Picture") : alt;
  return [
    ...words(name, isElsewhere ? withMark(marks, "link", { href }) : marks),
    ...(caption === "" || caption === alt ? [] : words(` ${caption}`, marks)),
  ];
}

function one(node: PhrasingContent, marks: readonly Mark[], reading: ReadingContext): Node[] {
  switch (node.type) {
    case "text":
      return words(node.value, marks);
    case "strong":
    case "delete":
      return inline(node.children, withMark(marks, marked[node.type]), reading);
    case "emphasis": {
      const name = node.data?.isUnderline === true ? "underline" : "italic";
      return inline(node.children, withMark(marks, name), reading);
    }
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
      return blockAmongWords(node, marks, reading);
  }
}

/** Returns the words of a block where only words are allowed, as in some HTML. */
function blockAmongWords(node: Nodes, marks: readonly Mark[], reading: ReadingContext): Node[] {
  if ("value" in node) return words(node.value, marks);
  // The block's content is read as words again.
  const children = "children" in node ? (node.children as PhrasingContent[]) : [];
  return children.length === 0
    ? []
    : [...words(" ", marks), ...inline(children, marks, reading), ...words(" ", marks)];
}

/**
 * Returns a block's words with their marks. Of HTML among the words, only marks and breaks count
 * (see `withoutHtml`). The result may contain images, which are blocks: see `blocksOfWords`.
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
      return breaking.test(node.value) ? [documentSchema.node("hardBreak")] : [];
    }
    return one(node, underlined > 0 ? withMark(marks, "underline") : marks, reading);
  });
}

/** Groups words into blocks that `wrap` builds. Each image among them becomes its own block. */
export function blocksOfWords(
  nodes: readonly Node[],
  wrap: (content: readonly Node[]) => Node,
): Node[] {
  if (nodes.every(({ isInline }) => isInline)) return [wrap(nodes)];
  const blocks: Node[] = [];
  let run: Node[] = [];
  const end = () => {
    // White space between an image and words is not needed between blocks, so it is dropped.
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
