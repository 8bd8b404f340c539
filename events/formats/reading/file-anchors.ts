import type { Element, Root, RootContent } from "hast";
import { Fragment, type Node } from "@tiptap/pm/model";
import { isDocumentId, pathOfTarget } from "@/events/content/document-address";

/** The name of an element of a page, the letters of the line that it stands in, and which of the lines of these letters that is. */
export type NamedLine = { name: string; letters: string; nth: number };

const lettersOf = (words: string) => words.replace(/\s+/g, "");
const blocks = new Set(
  "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

function namesOf({ tagName, properties: { id, name } }: Element): string[] {
  const own = tagName === "a" ? [id, name] : [id];
  return own.filter((one) => typeof one === "string" && one !== "").map(String);
}

/** Collects the names that a file gives places of its text, each with the line of text that it names. */
export class LineNames {
  readonly named: NamedLine[] = [];
  private readonly counts = new Map<string, number>();
  private line = "";
  private names: string[] = [];

  name(name: string): void {
    this.names.push(name);
  }

  words(words: string): void {
    this.line += words;
  }

  endLine(): void {
    const letters = lettersOf(this.line);
    this.line = "";
    // An element without words names what follows it.
    if (letters === "") return;
    const nth = this.counts.get(letters) ?? 0;
    this.counts.set(letters, nth + 1);
    for (const name of this.names) this.named.push({ name, letters, nth });
    this.names = [];
  }

  /** Adds the lines and names of elements. */
  addHtml(nodes: readonly RootContent[]): void {
    for (const node of nodes) {
      if (node.type === "text") this.words(node.value);
      if (node.type !== "element") continue;
      const isBlock = blocks.has(node.tagName);
      if (isBlock) this.endLine();
      for (const name of namesOf(node)) this.name(name);
      this.addHtml(node.children);
      if (isBlock) this.endLine();
    }
  }
}

/** The names that elements of a page have, with the lines of text that they name. */
export function namedLines(page: Root): NamedLine[] {
  const lines = new LineNames();
  lines.addHtml(page.children);
  lines.endLine();
  return lines.named;
}

/** The name that GitHub and others give a heading. */
const slugOf = (words: string) =>
  words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
/** Outline sets a sign before it, and each program leaves out others. */
const plainSlug = (name: string) =>
  name
    .replace(/^h-/, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Google says what a name is, and Notion leaves the lines of an id out. */
const plainName = (name: string) => {
  const plain = name.replace(/^(?:heading|bookmark)=/, "");
  return /^[0-9a-f-]{32,36}$/i.test(plain) ? plain.replaceAll("-", "").toLowerCase() : plain;
};

/** Where the names lead that addresses give places of a text: each to the number of a block, counted through the text. */
export function anchorsOf(
  text: Node,
  lines: readonly NamedLine[],
): (name: string) => number | null {
  const byName = new Map<string, number>();
  const bySlug = new Map<string, number>();
  const byLine = new Map<string, number[]>();
  const slugs = new Map<string, number>();
  const put = (names: Map<string, number>, name: string, number: number) => {
    if (name !== "" && !names.has(name)) names.set(name, number);
  };
  let count = 0;
  text.descendants((node) => {
    // What stands in a line becomes other nodes yet.
    if (node.isInline) return;
    const number = (count += 1) - 1;
    if (!node.isTextblock) return;
    const words = node.textContent;
    const letters = lettersOf(words);
    const same = byLine.get(letters);
    if (same) same.push(number);
    else byLine.set(letters, [number]);
    if (node.type.name !== "heading") return;
    const slug = slugOf(words);
    const before = slugs.get(slug) ?? 0;
    slugs.set(slug, before + 1);
    put(byName, before === 0 ? slug : `${slug}-${before}`, number);
    put(bySlug, plainSlug(words), number);
  });
  const named = new Map<string, number>();
  for (const { name, letters, nth } of lines) {
    const same = byLine.get(letters) ?? [];
    const number = same[nth] ?? same.at(-1);
    if (number !== undefined) put(named, plainName(name), number);
  }
  return (name) =>
    named.get(plainName(name)) ??
    byName.get(name) ??
    byName.get(name.toLowerCase()) ??
    bySlug.get(plainSlug(name)) ??
    null;
}

const asked = /^\/d\/([0-9a-f-]{36})#~(.*)$/s;

/** The path of a place in a document of a file, until all of its documents are read. */
export const pathOfAnchor = (document: string, name: string) => `/d/${document}#~${name}`;

/** What an address says behind its hash. */
export function anchorIn(address: string): string {
  const at = address.indexOf("#");
  const name = at < 0 ? "" : address.slice(at + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    // A percent sign that is one.
    return name;
  }
}

/** No client has this id: what it names is a block of an imported text by its number. */
const numbered = 0;

/** The number of a block by its name in a link, in a text that is not recorded yet; null of every other name. */
export function numberOfBlock(block: string): number | null {
  const [client, number] = block.split("-").map(Number);
  return client === numbered && number !== undefined ? number : null;
}

/**
 * Has the links to places in documents of a file lead to the blocks there, by their numbers; where there
 * is no such place, to the document. A link to no known place of its own document is no link.
 */
export function withAnchors(
  node: Node,
  own: string,
  numberOf: (document: string, name: string) => number | null,
): Node {
  if (!node.isLeaf)
    return node.copy(
      Fragment.from(node.children.map((child) => withAnchors(child, own, numberOf))),
    );
  const link = node.marks.find(({ type }) => type.name === "link");
  const href: unknown = link?.attrs.href;
  const [, document = "", name = ""] = (typeof href === "string" && asked.exec(href)) || [];
  if (link === undefined || !isDocumentId(document)) return node;
  const number = numberOf(document, name);
  const rest = link.removeFromSet(node.marks);
  if (number === null && document === own) return node.mark(rest);
  const block = number === null ? null : `${numbered}-${number}`;
  const marked = link.type.create({ ...link.attrs, href: pathOfTarget({ document, block }) });
  return node.mark(marked.addToSet(rest));
}
