import { appendAll } from "@/events/core/append-all";
import type { PhrasingContent } from "mdast";
import { targetOf } from "@/events/content/document-link";
import type { LinkName } from "@/events/content/document-link";
import { pathOfTarget } from "@/events/content/document-address";
import { safeAddress } from "@/events/content/safe-address";
import type { FileImages } from "./file-images";
import { isText } from "./text-tree";
import type { TreeNode } from "./text-tree";

/** The names of linked documents in a file, and the site of these documents. */
export type FileLinks = {
  nameOf: (document: string) => LinkName;
  origin: string;
  /** The embedded images, if the format can embed any. */
  images?: FileImages;
};

const controls = /[\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]+/g;
const markup = (value: string): PhrasingContent => ({ type: "html", value });
/** Renders nothing, but separates its neighbours. */
export const gap = markup("<!-- -->");
const lineBreak = markup("<br>");

type Piece = { node: TreeNode; marks: ReadonlyMap<string, unknown> };

/** Mark names, outermost first, for marks of the same extent. */
const markNames = ["link", "bold", "italic", "strike", "underline"];

/** Returns a link mark's address, or null if the address is not allowed. */
export function addressOf(mark: unknown): string | null {
  const href = typeof mark === "object" && mark !== null && "href" in mark ? mark.href : null;
  return safeAddress(href);
}

function marksOf(node: TreeNode): Map<string, unknown> {
  if (!isText(node)) return new Map();
  return new Map(
    markNames.flatMap((name): [string, unknown][] => {
      const value = name === "link" ? addressOf(node.marks.link) : (node.marks[name] ?? null);
      return value === null ? [] : [[name, name === "link" ? value : true]];
    }),
  );
}

function leaf(node: TreeNode, { nameOf, origin }: FileLinks): PhrasingContent[] {
  if (isText(node)) {
    const value = node.text.replace(controls, " ");
    return [
      node.marks.code === undefined ? { type: "text", value } : { type: "inlineCode", value },
    ];
  }
  if (node.name === "hardBreak") return [{ type: "break" }];
  const target = node.name === "documentLink" ? targetOf(node.attributes) : null;
  if (target === null) return [];
  const { words, state } = nameOf(target.document);
  const children: PhrasingContent[] = [{ type: "text", value: words.replace(controls, " ") }];
  return state === "closed"
    ? children
    : [
        {
          type: "link",
          url: `${origin}${pathOfTarget(target)}`,
          children: [{ type: "text", value: words.replace(controls, " ") }],
        },
      ];
}

function wrapped(name: string, value: unknown, children: PhrasingContent[]): PhrasingContent[] {
  switch (name) {
    case "link":
      // A link may not contain another link.
      return [
        {
          type: "link",
          url: String(value),
          children: children.filter(({ type }) => type !== "link"),
        },
      ];
    case "bold":
      return [{ type: "strong", children }];
    case "italic":
      return [{ type: "emphasis", children }];
    case "strike":
      return [{ type: "delete", children }];
    default:
      // Markdown has no syntax for underlining and allows HTML instead.
      return [markup("<u>"), ...children, markup("</u>")];
  }
}

/** Counts the pieces from here on that have a mark. */
function reach(pieces: readonly Piece[], from: number, name: string, value: unknown): number {
  let to = from;
  while (to < pieces.length && pieces[to]?.marks.get(name) === value) to += 1;
  return to;
}

function nested(pieces: readonly Piece[], links: FileLinks): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  for (let at = 0; at < pieces.length;) {
    const piece = pieces[at];
    if (piece === undefined) break;
    let widest: { name: string; value: unknown; to: number } | null = null;
    for (const [name, value] of piece.marks) {
      const to = reach(pieces, at, name, value);
      if (widest === null || to > widest.to) widest = { name, value, to };
    }
    if (widest === null) {
      appendAll(content, leaf(piece.node, links));
      at += 1;
      continue;
    }
    const { name, value, to } = widest;
    const inside = pieces.slice(at, to).map(({ node, marks }) => ({
      node,
      marks: new Map([...marks].filter(([other]) => other !== name)),
    }));
    appendAll(content, wrapped(name, value, nested(inside, links)));
    at = to;
  }
  return content;
}

const signed = new Set(["strong", "emphasis", "delete", "inlineCode"]);

/** Separates adjacent marks with a comment, since their delimiters could merge. */
function apart(content: PhrasingContent[]): PhrasingContent[] {
  return content.flatMap((node, index) => {
    const inside = "children" in node ? { ...node, children: apart(node.children) } : node;
    const before = content[index - 1];
    const touch = before !== undefined && signed.has(before.type) && signed.has(node.type);
    // The children of a phrasing node are phrasing nodes too.
    return (touch ? [gap, inside] : [inside]) as PhrasingContent[];
  });
}

const spaceAt = (node: PhrasingContent | undefined, edge: RegExp) =>
  node?.type === "text" && edge.test(node.value);

/** Protects white space at a cell's edges, which Markdown would drop. */
function withEdges(content: PhrasingContent[]): PhrasingContent[] {
  return [
    ...(spaceAt(content[0], /^\s/) ? [gap] : []),
    ...content,
    ...(spaceAt(content.at(-1), /\s$/) ? [gap] : []),
  ];
}

/**
 * Returns a block's words as Markdown. A break is a newline, or HTML where a newline has no
 * meaning: at the end of a block, and on the single line of a cell or heading.
 */
export function phrasing(
  nodes: readonly TreeNode[],
  links: FileLinks,
  oneLine = false,
): PhrasingContent[] {
  const content = nested(
    nodes.map((node) => ({ node, marks: marksOf(node) })),
    links,
  );
  const last = content.findLastIndex(({ type }) => type !== "break");
  const written = apart(
    content.map((node, index) =>
      node.type === "break" && (oneLine || index > last) ? lineBreak : node,
    ),
  );
  if (oneLine) return withEdges(written);
  // A tag alone on its line would begin an HTML block.
  return written.length === 1 && written[0] === lineBreak ? [lineBreak, gap] : written;
}
