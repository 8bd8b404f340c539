import type { Element, ElementContent } from "hast";
import { toMdast } from "hast-util-to-mdast";
import type { Nodes, PhrasingContent, Root, RootContent } from "mdast";
import { escapedHtml } from "@/events/core/text/escaped-html";
import { isOwnSign } from "./read-phrasing";
import { htmlHandlers } from "./html-handlers";
import { htmlTree } from "./html-tree";
import { seenPage } from "./seen-html";
import { isWords } from "./words-of-tree";

type Left = (what: string) => void;

/**
 * Begins a placeholder for a piece of Markdown while the HTML around it is parsed. The sign is a
 * noncharacter that no text contains.
 */
const sign = "\ufdd6";
/** Elements whose content browsers do not parse, so that they would swallow what follows. */
const swallowing =
  /<(?:iframe|noembed|noframes|option|plaintext|script|select|style|textarea|title|xmp)[\s/>]/i;

const placeOf = (words: string) =>
  words.startsWith(sign) ? Number(words.slice(sign.length)) : null;

const tagOf = { words: "button", blocks: "article" } as const;

/** Creates a placeholder element for a piece of Markdown, by its index. */
function standIn(place: number, node: Nodes): Element {
  const tagName = tagOf[isWords(node) ? "words" : "blocks"];
  const children: ElementContent[] = [{ type: "text", value: `${sign}${place}` }];
  return { type: "element", tagName, properties: {}, children };
}

/** Puts the pieces of Markdown back into the parsed tree. Returns null if a piece is missing. */
function withPieces(
  tree: readonly RootContent[],
  pieces: readonly RootContent[],
): RootContent[] | null {
  const used = new Set<number>();
  const back = (nodes: readonly RootContent[]): RootContent[] =>
    nodes.flatMap((node) => {
      const value = node.type === "inlineCode" ? node.value : "";
      const place = placeOf(value);
      const piece = place === null ? undefined : pieces[place];
      if (piece !== undefined && place !== null) {
        if (used.has(place)) return [];
        used.add(place);
        return [piece];
      }
      if (!("children" in node)) return [node];
      // The result is a node of the same kind with its content restored.
      return [{ ...node, children: back(node.children) } as RootContent];
    });
  const content = back(tree);
  const isWhole = pieces.every((node, place) => isMarkup(node) || used.has(place));
  return isWhole ? content : null;
}

/** Whether a node is passed to the HTML parser unchanged. */
const isMarkup = ({ type }: Nodes) => type === "html" || type === "text";

function readAround(
  nodes: readonly RootContent[],
  isLine: boolean,
  left: Left,
): RootContent[] | null {
  const html = nodes
    .map((node, place) => {
      if (node.type === "html") return node.value;
      return node.type === "text" ? escapedHtml(node.value) : `<!--${sign}${place}-->`;
    })
    .join(isLine ? "" : "\n");
  const comment = (words: string): ElementContent[] => {
    const place = placeOf(words);
    const node = place === null ? undefined : nodes[place];
    return node === undefined || place === null ? [] : [standIn(place, node)];
  };
  const options = htmlHandlers(left);
  const stub: NonNullable<typeof options.handlers>[string] = (state, one: Element) => {
    const [only] = one.children;
    if (only?.type !== "text" || placeOf(only.value) === null)
      return one.tagName === tagOf.words ? state.all(one) : state.toFlow(state.all(one));
    const code = { type: "inlineCode", value: only.value } as const;
    // The blockquote makes it a block, so that the library does not split blocks into words.
    return one.tagName === tagOf.words ? code : { type: "blockquote", children: [code] as never };
  };
  const handlers = { ...options.handlers, [tagOf.words]: stub, [tagOf.blocks]: stub };
  const page = seenPage(htmlTree(html, false), { left, comment });
  const root = toMdast(page, { ...options, document: !isLine, handlers });
  if (root.type !== "root") return null;
  const unwrapped = root.children.flatMap(unwrap);
  return withPieces(unwrapped, nodes);
}

/** Unwraps a placeholder from the element that made it a block. */
function unwrap(node: RootContent): RootContent[] {
  if (node.type === "blockquote") {
    const [only] = node.children as RootContent[];
    if (only?.type === "inlineCode" && placeOf(only.value) !== null) return [only];
  }
  if (!("children" in node)) return [node];
  return [{ ...node, children: (node.children as RootContent[]).flatMap(unwrap) } as RootContent];
}

/**
 * Parses the HTML among siblings: together, or each piece separately if parsing together would lose
 * a piece.
 */
function read(nodes: readonly RootContent[], isLine: boolean, left: Left): RootContent[] {
  const isRead = (node: RootContent) => node.type === "html" && !isOwnSign(node.value);
  if (!nodes.some(isRead)) return [...nodes];
  const isAlone = nodes.some((node) => node.type === "html" && swallowing.test(node.value));
  const counts: string[] = [];
  const together = isAlone ? null : readAround(nodes, isLine, (what) => counts.push(what));
  if (together !== null) {
    for (const what of counts) left(what);
    return together;
  }
  return nodes.flatMap((node) =>
    isRead(node) ? (readAround([node], isLine, left) ?? []) : [node],
  );
}

/** Whether a node holds words and no blocks. */
const holdsWords = (node: Nodes) =>
  isWords(node) || /^(?:paragraph|heading|tableCell)$/.test(node.type);

function rewritten(node: RootContent, left: Left): RootContent[] {
  if (!("children" in node)) return [node];
  const inner = (node.children as RootContent[]).flatMap((child) => rewritten(child, left));
  const children = read(inner, holdsWords(node), left);
  if (node.type === "paragraph" && children.length === 0) return [];
  // A paragraph that holds blocks after parsing becomes those blocks.
  if (node.type === "paragraph" && !children.every(isWords)) return paragraphsOf(children);
  return [{ ...node, children } as RootContent];
}

function paragraphsOf(nodes: readonly RootContent[]): RootContent[] {
  const blocks: RootContent[] = [];
  let words: PhrasingContent[] = [];
  const end = () => {
    if (words.length > 0) blocks.push({ type: "paragraph", children: words });
    words = [];
  };
  for (const node of nodes) {
    if (isWords(node)) words.push(node as PhrasingContent);
    else {
      end();
      blocks.push(node);
    }
  }
  end();
  return blocks;
}

/**
 * Replaces the HTML in a Markdown tree by the content that it shows. Only the tags of `isOwnSign`
 * remain HTML.
 */
export function withoutHtml(root: Root, left: Left): Root {
  const inner = root.children.flatMap((child) => rewritten(child, left));
  return { ...root, children: read(inner, false, left) };
}
