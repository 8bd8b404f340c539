import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { targetOfAddress } from "@/events/content/document-address";
import type { DocumentTarget } from "@/events/content/document-address";
import { documentSchema } from "@/events/content/schema";

/** Returns text with single spaces between words, for comparing titles. */
export const spaced = (text: string) => text.replace(/\s+/g, " ").trim();

function targetOf(node: Node, origin: string): DocumentTarget | null {
  const link = node.marks.find(({ type }) => type.name === "link");
  const href: unknown = link?.attrs.href;
  return typeof href === "string" ? targetOfAddress(href, origin) : null;
}

/**
 * Turns links whose words are the linked document's title into document links, which follow
 * renames. A link with other words keeps those words.
 */
export function withDocumentLinks(
  node: Node,
  origin: string,
  titleOf: (document: string) => string | null,
): Node {
  if (node.isLeaf) return node;
  if (!node.isTextblock)
    return node.copy(
      Fragment.from(node.children.map((child) => withDocumentLinks(child, origin, titleOf))),
    );
  const content: Node[] = [];
  for (let at = 0; at < node.childCount;) {
    const target = targetOf(node.child(at), origin);
    const title = target === null ? null : titleOf(target.document);
    const isSame = (other: DocumentTarget | null) =>
      other?.document === target?.document && other?.block === target?.block;
    let to = at + 1;
    while (title !== null && to < node.childCount && isSame(targetOf(node.child(to), origin)))
      to += 1;
    const run = node.children.slice(at, to);
    const words = run.map(({ textContent }) => textContent).join("");
    if (title !== null && spaced(words) === spaced(title))
      content.push(documentSchema.node("documentLink", target));
    else for (const one of run) content.push(one);
    at = to;
  }
  return node.copy(Fragment.from(content));
}
