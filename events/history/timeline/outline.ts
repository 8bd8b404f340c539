import { never } from "@/events/crdt/updates/lifespans";
import { blockAt } from "./text-page";
import type { PageNode, PageText } from "./text-page";
import type { Timeline } from "./timeline";

/**
 * A heading with the blocks under it, up to the next heading of its level or above. Holds block
 * indices; `to` is exclusive.
 */
export type OutlineSection = {
  key: string;
  title: string;
  level: number;
  from: number;
  to: number;
};

function wordsOf(node: PageNode | PageText): string {
  return "text" in node ? node.text : node.content.map(wordsOf).join("");
}

/** Returns a document's sections at a revision, in page order. Skips headings without words. */
export function outlineAt({ blocks }: Pick<Timeline, "blocks">, at: number): OutlineSection[] {
  const headings = blocks.flatMap((block, from) => {
    if (block.node.kind !== "element" || block.node.name !== "heading") return [];
    const [heading] = blockAt(block, { at, struckSince: at, tint: () => null });
    if (!heading || "text" in heading) return [];
    const title = wordsOf(heading).trim();
    return title === ""
      ? []
      : [{ key: block.key, title, level: Number(heading.attrs.level ?? 1), from }];
  });
  return headings.map((heading, index) => ({
    ...heading,
    to:
      headings.slice(index + 1).find(({ level }) => level <= heading.level)?.from ?? blocks.length,
  }));
}

/** Returns the revisions, ascending, at which content of a range of blocks changed. */
export function revisionsOfBlocks(
  { blocks }: Pick<Timeline, "blocks">,
  { from, to }: Pick<OutlineSection, "from" | "to">,
): Uint32Array {
  const revisions = new Set<number>();
  for (const { changes } of blocks.slice(from, to))
    for (const revision of changes) if (revision !== never) revisions.add(revision);
  return Uint32Array.from(revisions).sort();
}
