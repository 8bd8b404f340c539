import type { Element, Root, RootContent } from "hast";
import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { isDocumentId, pathOfTarget } from "@/events/content/document-address";

/**
 * A named element: its name, the letters of its line, and the line's index among lines with the
 * same letters.
 */
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

/** Collects the names that a file gives its places, each with the line of text that it names. */
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
    // An element without words names the line after the element.
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

/** Returns the names of a page's elements, with the lines of text that they name. */
export function namedLines(page: Root): NamedLine[] {
  const lines = new LineNames();
  lines.addHtml(page.children);
  lines.endLine();
  return lines.named;
}

/** Returns a heading's slug, in the form that GitHub and others use. */
const slugOf = (words: string) =>
  words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
/** Normalizes a slug. Outline adds a prefix, and programs differ in the characters they drop. */
const plainSlug = (name: string) =>
  name
    .replace(/^h-/, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Normalizes a name. Google prefixes it with its kind, and Notion drops an id's hyphens. */
const plainName = (name: string) => {
  const plain = name.replace(/^(?:heading|bookmark)=/, "");
  return /^[0-9a-f-]{32,36}$/i.test(plain) ? plain.replaceAll("-", "").toLowerCase() : plain;
};

/** Resolves the names in addresses to block numbers, counted through the text. */
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
    // Inline content is converted to other nodes later, so it is not counted.
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

/** Returns the path of a place in an imported document, valid until the whole import is read. */
export const pathOfAnchor = (document: string, name: string) => `/d/${document}#~${name}`;

/** Returns the decoded hash of an address. */
export function anchorIn(address: string): string {
  const at = address.indexOf("#");
  const name = at < 0 ? "" : address.slice(at + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    // The percent sign is literal.
    return name;
  }
}

/** The client id that marks a block of an imported text by its number. No client has this id. */
const numbered = 0;

/**
 * Returns the number in a link's block name, in a text that is not recorded yet. Returns null for
 * any other name.
 */
export function numberOfBlock(block: string): number | null {
  const [client, number] = block.split("-").map(Number);
  return client === numbered && number !== undefined ? number : null;
}

/**
 * Resolves links to places in imported documents to block numbers, or to the document if it has no
 * such place. A link to an unknown place of its own document is removed.
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
