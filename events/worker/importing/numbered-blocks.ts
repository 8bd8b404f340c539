import * as Y from "yjs";
import { pathOfTarget, targetOfAddress } from "@/events/content/document-address";
import { targetOf } from "@/events/content/document-link";
import { documentSchema } from "@/events/content/schema";
import { hashOfBlock } from "@/events/core/ids/block-key";
import { numberOfBlock } from "@/events/formats/reading/file-anchors";

/** Returns a text's elements in page order. */
function elementsIn(parent: Y.XmlFragment, into: Y.XmlElement[] = []): Y.XmlElement[] {
  for (const child of parent.toArray()) {
    if (!(child instanceof Y.XmlElement)) continue;
    into.push(child);
    elementsIn(child, into);
  }
  return into;
}

const isBlock = ({ nodeName }: Y.XmlElement) => documentSchema.nodes[nodeName]?.isInline === false;

/** Returns the names of a text's blocks, by number. */
function blockNames(fragment: Y.XmlFragment): string[] {
  return elementsIn(fragment)
    .filter(isBlock)
    .flatMap(({ _item }) => (_item ? [hashOfBlock(_item.id.client, _item.id.clock)] : []));
}

type Target = { document: string; block: string | null };

function nameWords(line: Y.XmlText, named: (target: Target | null) => Target | null): void {
  const deltas: { insert: unknown; attributes?: Record<string, unknown> }[] = line.toDelta();
  let at = 0;
  for (const { insert, attributes } of deltas) {
    const start = at;
    at += typeof insert === "string" ? insert.length : 1;
    const link = attributes?.link;
    if (typeof link !== "object" || link === null || !("href" in link)) continue;
    // A numbered target is a path without an origin.
    const target = named(typeof link.href === "string" ? targetOfAddress(link.href, "") : null);
    if (target !== null)
      line.format(start, at - start, { link: { ...link, href: pathOfTarget(target) } });
  }
}

/**
 * Rewrites links that name blocks by number to name them by element id, in texts that are not
 * recorded yet. `texts` holds all texts, by document id.
 */
export function nameBlocks(texts: ReadonlyMap<string, Y.XmlFragment>): void {
  const names = new Map<string, string[]>();
  const named = (target: Target | null): Target | null => {
    const number = target?.block == null ? null : numberOfBlock(target.block);
    const text = target && texts.get(target.document);
    if (target === null || number === null || !text) return null;
    const known = names.get(target.document) ?? blockNames(text);
    names.set(target.document, known);
    return { ...target, block: known[number] ?? null };
  };
  for (const text of texts.values()) {
    for (const element of [text, ...elementsIn(text)]) {
      if (element instanceof Y.XmlElement && element.nodeName === "documentLink") {
        const target = named(targetOf(element.getAttributes()));
        if (target?.block != null) element.setAttribute("block", target.block);
      }
      for (const child of element.toArray())
        if (child instanceof Y.XmlText) nameWords(child, named);
    }
  }
}
