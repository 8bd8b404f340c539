import type { Block, DocumentJson } from "./full-history-text";
import { blockAt } from "./text-page";
import type { PageNode, PageText } from "./text-page";
import type { Timeline } from "./timeline";

/**
 * The authors of a text's characters, in order and without gaps. `author` is an index into the
 * timeline's authors.
 */
type Attribution = { length: number; author: number }[];

/** A document as it was at one revision. */
type Page = { title: string; doc: DocumentJson; text: string; authors: Attribution };

function isText(node: PageNode | PageText): node is PageText {
  return "text" in node;
}

function texts(node: PageNode | PageText): PageText[] {
  return isText(node) ? [node] : node.content.flatMap(texts);
}

/** Returns a document's blocks at a revision, as ProseMirror JSON. */
export function documentAt(blocks: Block[], at: number): DocumentJson {
  const content: DocumentJson[] = [];
  for (const block of blocks) for (const node of block.plainAt(at)) content.push(node);
  return { type: "doc", content };
}

/**
 * Returns the document at one revision of a timeline: title, content, plain text (blocks joined by
 * line breaks) and authors.
 */
export function pageAt(timeline: Timeline, index: number): Page {
  const authorOf = (born: number) => timeline.authorOf(born);
  const nodes = timeline.blocks.map((block) =>
    blockAt(block, { at: index, struckSince: index, tint: authorOf }),
  );
  const authors: Attribution = [];
  const written = nodes.filter((block) => block.length > 0).map((block) => block.flatMap(texts));
  for (const { text, born } of written.flat()) {
    const author = authorOf(born);
    const last = authors.at(-1);
    if (last?.author === author) last.length += text.length;
    else authors.push({ length: text.length, author });
  }
  return {
    title: timeline.titleAt(index),
    doc: documentAt(timeline.blocks, index),
    text: written.map((runs) => runs.map(({ text }) => text).join("")).join("\n"),
    authors,
  };
}
