import { appendAll } from "@/events/core/append-all";
import type { Definition, List, Root, RootContent, Table, TableCell } from "mdast";
import type { Node } from "@tiptap/pm/model";
import { documentSchema } from "@/events/content/schema";
import { bounds, within } from "@/events/content/text-schema";
import { blocksOfWords, inline, type ReadingContext } from "./read-phrasing";

/** How deep blocks of a file may lie in each other; deeper ones are its words. */
const deepest = 24;

type Blocks = { nodes: readonly RootContent[]; depth: number; reading: ReadingContext };

const paragraph = (content: readonly Node[] = []) =>
  documentSchema.node("paragraph", null, content);

function lettersIn(node: RootContent): string {
  const found: string[] = [];
  const waiting: RootContent[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ("value" in next) found.push(next.value);
    if ("children" in next) appendAll(waiting, next.children.toReversed());
  }
  return found.join(" ");
}

/** What a list item or a task may hold: words first, and whatever behind them. */
function itemContent(nodes: readonly RootContent[], inside: Blocks): Node[] {
  const content = blocksOf({ ...inside, nodes });
  return content[0]?.type.name === "paragraph" ? content : [paragraph(), ...content];
}

function list(node: List, inside: Blocks): Node {
  const isTasks = node.ordered !== true && node.children.some(({ checked }) => checked != null);
  const items = node.children.map((item) => {
    const content = itemContent(item.children, inside);
    return isTasks
      ? documentSchema.node("taskItem", { checked: item.checked === true }, content)
      : documentSchema.node("listItem", null, content);
  });
  if (isTasks) return documentSchema.node("taskList", null, items);
  return node.ordered === true
    ? documentSchema.node("orderedList", { start: within(node.start ?? 1, bounds.start) }, items)
    : documentSchema.node("bulletList", null, items);
}

const wordTypes = new Set([
  "text",
  "emphasis",
  "strong",
  "delete",
  "inlineCode",
  "break",
  "link",
  "linkReference",
  "image",
  "imageReference",
  "footnoteReference",
  "html",
]);

/** What a cell holds: words, or blocks where it came from a file that has them there. */
function cellContent(nodes: TableCell["children"], inside: Blocks): Node[] {
  const words = nodes.filter(({ type }) => wordTypes.has(type));
  if (words.length === nodes.length)
    return blocksOfWords(inline(words, [], inside.reading), paragraph);
  const content = blocksOf({ ...inside, nodes });
  return content.length > 0 ? content : [paragraph()];
}

function table({ children }: Table, inside: Blocks): Node[] {
  const [head] = children;
  // Markdown has no table without a head; one without words was none.
  const isHeadless =
    children.length > 1 && head?.children.every((cell) => cell.children.length === 0) === true;
  const rows = (isHeadless ? children.slice(1) : children).map((row, index) =>
    documentSchema.node(
      "tableRow",
      null,
      row.children.map((cell) =>
        documentSchema.node(
          !isHeadless && index === 0 ? "tableHeader" : "tableCell",
          null,
          cellContent(cell.children, inside),
        ),
      ),
    ),
  );
  return rows.length === 0 ? [] : [documentSchema.node("table", null, rows)];
}

function block(node: RootContent, within_: Blocks): Node[] {
  const { depth, reading } = within_;
  const inside = { ...within_, depth: depth + 1 };
  if (depth > deepest)
    return [paragraph(inline([{ type: "text", value: lettersIn(node) }], [], reading))];
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
      return node.children.length === 0 ? [] : [list(node, inside)];
    case "table":
      return table(node, inside);
    case "html":
      // Of HTML that stands alone only an end of a line and a picture mean anything here.
      return blocksOfWords(inline([node], [], reading), paragraph).filter(
        ({ childCount, isAtom }) => childCount > 0 || isAtom,
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
    default:
      return [];
  }
}

function blocksOf(blocks: Blocks): Node[] {
  return blocks.nodes.flatMap((node) => block(node, blocks));
}

/** The addresses that a text names in one place and uses in others. */
function definitionsIn(root: Root): Map<string, Definition> {
  return new Map(
    root.children.flatMap((node) =>
      node.type === "definition" ? [[node.identifier, node] as const] : [],
    ),
  );
}

/** Where a file is read, and what comes with it. */
export type Sources = Omit<ReadingContext, "definitions">;

/** What was read of a file: what it is called, if it says so, and its text. */
export type ReadText = { title: string | null; text: Node };

/** Makes a text of what a file says; its first heading of the first level is its title. */
export function readTree(root: Root, sources: Sources): ReadText {
  const reading: ReadingContext = { ...sources, definitions: definitionsIn(root) };
  const [first, ...rest] = root.children;
  const isTitle = first?.type === "heading" && first.depth === 1;
  const head = isTitle ? inline(first.children, [], reading) : [];
  const title = isTitle ? head.map(({ textContent }) => textContent) : null;
  // What a footnote says stands where the text ends.
  const ordered = (isTitle ? rest : root.children).toSorted(
    (one, other) =>
      Number(one.type === "footnoteDefinition") - Number(other.type === "footnoteDefinition"),
  );
  const images = head.filter(({ isInline }) => !isInline);
  const blocks = [...images, ...blocksOf({ nodes: ordered, depth: 0, reading })];
  return {
    title: title?.join("").trim() ?? null,
    text: documentSchema.node("doc", null, blocks.length > 0 ? blocks : [paragraph()]),
  };
}
