import type { Heading, Nodes, Paragraph, Root, RootContent, Text } from "mdast";
import { withMarks } from "../tamed-markdown";
import { LineNames } from "../file-anchors";
import type { NamedLine } from "../file-anchors";
import { htmlTree } from "../html-tree";
import { isWords, wordsOfTree } from "../words-of-tree";

const item = String.raw`(?:[#.][\p{L}_][\p{L}\p{N}_:.-]*|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"'{}]+)|-)`;
const list = String.raw`\{:?[ \t]*(${item}(?:[ \t]+${item})*)[ \t]*\}`;
/** A heading's attribute list after its words, as in Pandoc, kramdown and Markdown Extra. */
const behindWords = new RegExp(String.raw`(?<=^|[ \t])${list}[ \t]*$`, "u");
/** A block's attribute list on a separate line, as in kramdown. */
const ownLine = new RegExp(String.raw`(?:^|\n)[ \t]*${list.replace("{:?", "{:")}[ \t]*$`, "u");
/**
 * A heading's closing `#` characters, which CommonMark does not recognize before an attribute list.
 */
const closing = /(?:^|[ \t])#+$/;
/** MultiMarkdown's label after a heading. The label may also be words, so it stays. */
const label = /\[([^[\]]{1,100})\]$/;
const mayName = /\s(?:id|name)\s*=/i;

/** Returns the id in an attribute list, or null. A list without an id counts as words. */
function nameIn(attributes: string): string | null {
  return /(?:^|\s)#(\S+)/u.exec(attributes)?.[1] ?? null;
}

/**
 * Removes an attribute list with an id from a text's end, and returns the id. The source decides
 * whether it is a list: an escaped bracket there makes it words.
 */
function takeList(text: Text, source: string, pattern: RegExp): string | null {
  const { start, end } = text.position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return null;
  const written = withMarks(source.slice(start.offset, end.offset));
  const found = pattern.exec(text.value);
  const inFile = pattern.exec(written);
  const name = nameIn(found?.[1] ?? "");
  if (found === null || name === null || found[1] !== inFile?.[1]) return null;
  text.value = text.value.slice(0, found.index).trimEnd();
  return name;
}

function takeFrom(block: Heading | Paragraph, source: string): string | null {
  const last = block.children.at(-1);
  if (last?.type !== "text") return null;
  const name =
    (block.type === "heading" ? takeList(last, source, behindWords) : null) ??
    takeList(last, source, ownLine);
  if (name === null) return null;
  const isOpenedBySigns = source[block.position?.start.offset ?? 0] === "#";
  if (block.type === "heading" && isOpenedBySigns) last.value = last.value.replace(closing, "");
  if (last.value === "") block.children.pop();
  return name;
}

/** Removes the attribute lists from a text. Returns the ids of its blocks. */
function takeLists(root: Root, source: string): Map<Nodes, string> {
  const names = new Map<Nodes, string>();
  const take = (parent: { children: RootContent[] }) => {
    for (const [at, node] of parent.children.entries()) {
      if (node.type !== "heading" && node.type !== "paragraph") {
        if ("children" in node) take(node as { children: RootContent[] });
        continue;
      }
      const name = takeFrom(node, source);
      if (name === null) continue;
      const before = parent.children[at - 1];
      const isAlone = node.type === "paragraph" && node.children.length === 0;
      const isNext = before?.position?.end.line === (node.position?.start.line ?? 0) - 1;
      names.set(isAlone && isNext ? before : node, name);
    }
    parent.children = parent.children.filter(
      (node) => node.type !== "paragraph" || node.children.length > 0,
    );
  };
  take(root);
  return names;
}

function addHtml(lines: LineNames, value: string, isBlock: boolean): void {
  if (isBlock || mayName.test(value)) lines.addHtml(htmlTree(value, false).children);
}

/**
 * Returns the ids that a Markdown text gives its places, with the named lines. Ids are read from
 * HTML elements, from attribute lists (which are removed from the tree), and from labels after
 * headings. `source` is the text from which the tree was parsed.
 */
export function takeMarkdownNames(
  root: Root,
  source: string,
  isTitle: (words: string) => boolean,
): NamedLine[] {
  const names = takeLists(root, source);
  const lines = new LineNames();
  const add = (node: Nodes) => {
    const isLine = isWords(node);
    if (!isLine && node.type !== "html") lines.endLine();
    const name = names.get(node);
    if (name !== undefined) lines.name(name);
    const own = node.type === "heading" ? label.exec(wordsOfTree(node))?.[1] : undefined;
    if (own !== undefined) lines.name(own);
    if (node.type === "html") addHtml(lines, node.value, false);
    else if ("value" in node) lines.words(node.value);
    else if ("alt" in node) lines.words(node.alt ?? "");
    else if ("children" in node)
      for (const child of node.children) {
        if (child.type === "html" && !isLineOf(node)) addHtml(lines, child.value, true);
        else add(child);
      }
    if (!isLine && node.type !== "html") lines.endLine();
  };
  const [first, ...rest] = root.children;
  const hasTitle = first?.type === "heading" && first.depth === 1 && isTitle(wordsOfTree(first));
  // The title is not a line of the text.
  for (const node of hasTitle ? rest : root.children)
    if (node.type === "html") addHtml(lines, node.value, true);
    else add(node);
  lines.endLine();
  return lines.named;
}

/** Whether a node holds words and no blocks. */
const isLineOf = (node: Nodes) =>
  isWords(node) || /^(?:paragraph|heading|tableCell)$/.test(node.type);
