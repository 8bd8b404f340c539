import type {
  Definition,
  List,
  ListItem,
  Nodes,
  PhrasingContent,
  Root,
  RootContent,
  Table,
  TableCell,
} from "mdast";
import type { Node } from "@tiptap/pm/model";
import { documentSchema } from "@/events/content/schema";
import { bounds, within } from "@/events/content/text-schema";
import { isWholeTitle } from "./import-name";
import { blocksOfWords, inline } from "./read-phrasing";
import type { ReadingContext } from "./read-phrasing";
import type { NamedLine } from "./file-anchors";
import { isWords, wordsOfTree } from "./words-of-tree";

/** The deepest nesting of blocks. Deeper blocks become words. */
const deepest = 24;

type Blocks = { nodes: readonly RootContent[]; depth: number; reading: ReadingContext };

const paragraph = (content: readonly Node[] = []) =>
  documentSchema.node("paragraph", null, content);

/** Returns the content of a list item or a task: words first, then any blocks. */
function itemContent(nodes: readonly RootContent[], inside: Blocks): Node[] {
  const content = blocksOf({ ...inside, nodes });
  return content[0]?.type.name === "paragraph" ? content : [paragraph(), ...content];
}

/**
 * Reads a list. A list in which some items have checkboxes becomes several lists, so that plain
 * items stay plain.
 */
function list(node: List, inside: Blocks): Node[] {
  const start = within(node.start ?? 1, bounds.start);
  const isTask = ({ checked }: ListItem) => node.ordered !== true && checked != null;
  const lists: { isTasks: boolean; items: Node[] }[] = [];
  for (const item of node.children) {
    const content = itemContent(item.children, inside);
    const isTasks = isTask(item);
    const made = isTasks
      ? documentSchema.node("taskItem", { checked: item.checked === true }, content)
      : documentSchema.node("listItem", null, content);
    const last = lists.at(-1);
    if (last?.isTasks === isTasks) last.items.push(made);
    else lists.push({ isTasks, items: [made] });
  }
  return lists.map(({ isTasks, items }) =>
    node.ordered === true
      ? documentSchema.node("orderedList", { start }, items)
      : documentSchema.node(isTasks ? "taskList" : "bulletList", null, items),
  );
}

/** Returns the content of a table cell: words, or blocks if the format allows blocks. */
function cellContent(nodes: TableCell["children"], inside: Blocks): Node[] {
  if (nodes.every(isWords)) return blocksOfWords(inline(nodes, [], inside.reading), paragraph);
  const content = blocksOf({ ...inside, nodes });
  return content.length > 0 ? content : [paragraph()];
}

type Covered = { colspan?: number | undefined; rowspan?: number | undefined };

/** Returns the number of columns of each row, including cells that extend from rows above. */
function widthsOf(rows: readonly (readonly Covered[])[]): number[] {
  const widths = rows.map(() => 0);
  for (const [at, row] of rows.entries())
    for (const { colspan = 1, rowspan = 1 } of row)
      for (let down = 0; down < rowspan && at + down < widths.length; down += 1)
        widths[at + down] = (widths[at + down] ?? 0) + colspan;
  return widths;
}

/**
 * The most cells that are added to short rows. The editor would otherwise add them, as an edit by
 * the document's reader.
 */
const mostAdded = 100_000;

function table({ children }: Table, inside: Blocks): Node[] {
  const [head] = children;
  // Markdown has no table without a header row, so an empty one means a table without header.
  const isHeadless =
    children.length > 1 && head?.children.every((cell) => cell.children.length === 0) === true;
  const shown = isHeadless && head?.children.every(({ data }) => data === undefined) ? 1 : 0;
  const rows = children.slice(shown);
  const widths = widthsOf(rows.map((row) => row.children.map(({ data }) => data ?? {})));
  const width = widths.reduce((most, one) => Math.max(most, one), 1);
  const added = widths.reduce((sum, one) => sum + width - one, 0);
  const isFilled = added <= mostAdded;
  const made = rows.map((row, index) => {
    const isHeadRow = !isHeadless && index === 0;
    const named = (isHead: boolean) => (isHead ? "tableHeader" : "tableCell");
    const cells = row.children.map(({ data, children: content }) =>
      documentSchema.node(
        named(data?.isHead ?? isHeadRow),
        { colspan: data?.colspan ?? 1, rowspan: data?.rowspan ?? 1 },
        cellContent(content, inside),
      ),
    );
    const missing = isFilled ? width - (widths[index] ?? 0) : 0;
    const isHead = cells.at(-1)?.type.name === "tableHeader";
    for (let more = 0; more < missing; more += 1)
      cells.push(documentSchema.node(named(isHead), null, [paragraph()]));
    return documentSchema.node("tableRow", null, cells);
  });
  return made.length === 0 ? [] : [documentSchema.node("table", null, made)];
}

function block(node: RootContent, within_: Blocks): Node[] {
  const { depth, reading } = within_;
  const inside = { ...within_, depth: depth + 1 };
  if (depth > deepest) {
    const value = wordsOfTree(node);
    if (value === "") return [];
    reading.left("passages on deep levels, which came as plain text");
    return [paragraph(inline([{ type: "text", value }], [], reading))];
  }
  switch (node.type) {
    case "paragraph":
      return blocksOfWords(inline(node.children, [], reading), paragraph);
    case "heading": {
      const level = Math.min(3, node.depth);
      return blocksOfWords(inline(node.children, [], reading), (content) =>
        documentSchema.node("heading", { level }, content),
      );
    }
    case "code":
      return [
        documentSchema.node(
          "codeBlock",
          { language: /^[\w+#.-]{1,32}/.exec(node.lang ?? "")?.[0] ?? null },
          node.value === "" ? [] : [documentSchema.text(node.value)],
        ),
      ];
    case "blockquote": {
      const content = blocksOf({ ...inside, nodes: node.children });
      return [
        documentSchema.node("blockquote", null, content.length > 0 ? content : [paragraph()]),
      ];
    }
    case "list":
      return list(node, inside);
    case "table":
      return table(node, inside);
    case "html":
      // In standalone HTML, only a line break matters here.
      return blocksOfWords(inline([node], [], reading), paragraph).filter(
        ({ childCount }) => childCount > 0,
      );
    case "thematicBreak":
      return [documentSchema.node("horizontalRule")];
    case "footnoteDefinition": {
      const content = blocksOf({ ...inside, nodes: node.children });
      const sign = documentSchema.text(`[${node.label ?? node.identifier}] `);
      const [first, ...rest] = content;
      return first?.type.name === "paragraph"
        ? [paragraph([sign, ...first.children]), ...rest]
        : [paragraph([sign]), ...content];
    }
    case "listItem":
      return list({ type: "list", ordered: false, children: [node] }, inside);
    case "definition":
      return [];
    default:
      // Other nodes are words, and parts of containers that a page holds without the containers.
      if (isWords(node))
        return blocksOfWords(inline([node as PhrasingContent], [], reading), paragraph);
      return "children" in node ? blocksOf({ ...inside, nodes: node.children }) : [];
  }
}

function blocksOf(blocks: Blocks): Node[] {
  return blocks.nodes.flatMap((node) => block(node, blocks));
}

/** Returns the reference definitions of a text's addresses. The first one of a name wins. */
function definitionsIn(root: Root): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  const walk = (node: Nodes) => {
    if (node.type === "definition" && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
    if ("children" in node) for (const child of node.children) walk(child);
  };
  walk(root);
  return definitions;
}

/** The input for reading a file, besides the file's own content. */
export type Sources = Omit<ReadingContext, "definitions">;

/** The result of reading a file: its title if it has one, its text, and its named lines. */
export type ReadText = {
  title: string | null;
  text: Node;
  named?: readonly NamedLine[] | undefined;
};

/**
 * Converts a parsed file to a text. Its first level-one heading becomes the title. A heading that
 * is longer than a title may be also stays in the text.
 */
export function readTree(root: Root, sources: Sources): ReadText {
  const reading: ReadingContext = { ...sources, definitions: definitionsIn(root) };
  const [first, ...rest] = root.children;
  const isTitle = first?.type === "heading" && first.depth === 1;
  const title = isTitle ? wordsOfTree(first).replace(/\s+/g, " ") : null;
  const isWhole = title !== null && isWholeTitle(title);
  // Footnotes are moved to the end of the text.
  const ordered = (isWhole ? rest : root.children).toSorted(
    (one, other) =>
      Number(one.type === "footnoteDefinition") - Number(other.type === "footnoteDefinition"),
  );
  const head = isTitle && isWhole ? inline(first.children, [], reading) : [];
  const images = head.filter(({ isInline }) => !isInline);
  const blocks = [...images, ...blocksOf({ nodes: ordered, depth: 0, reading })];
  return {
    title,
    text: documentSchema.node("doc", null, blocks.length > 0 ? blocks : [paragraph()]),
  };
}
