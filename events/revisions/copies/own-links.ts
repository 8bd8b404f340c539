import * as Y from "yjs";
import { targetOfAddress } from "@/events/content/document-address";
import { encodeEdits } from "@/events/crdt/payload/payload";
import type { ImportedPassage } from "../copy-in-events";

type Copy = { from: string; to: string; origin: string; time: number };

/** Redirects a line's links from the source document to its copy. */
function redirectWords(line: Y.XmlText, { from, to, origin }: Copy): void {
  const deltas: { insert: unknown; attributes?: Record<string, unknown> }[] = line.toDelta();
  let at = 0;
  for (const { insert, attributes } of deltas) {
    const length = typeof insert === "string" ? insert.length : 1;
    const start = at;
    at += length;
    const link = attributes?.link;
    if (typeof link !== "object" || link === null || !("href" in link)) continue;
    const { href } = link;
    if (typeof href === "string" && targetOfAddress(href, origin)?.document === from)
      line.format(start, length, { link: { ...link, href: href.replaceAll(from, to) } });
  }
}

function redirect(parent: Y.XmlFragment, copy: Copy): void {
  for (const child of parent.toArray()) {
    if (child instanceof Y.XmlText) redirectWords(child, copy);
    else if (child instanceof Y.XmlElement) {
      if (child.nodeName === "documentLink" && child.getAttribute("document") === copy.from)
        child.setAttribute("document", copy.to);
      redirect(child, copy);
    }
  }
}

/**
 * Returns the edit that redirects a copy's links to its source, or to a block of the source, into
 * the copy. Null without such links. `doc` is the copy's initial state and is not changed.
 */
export function ownLinks(doc: Y.Doc, copy: Copy): ImportedPassage | null {
  const own = new Y.Doc();
  Y.applyUpdate(own, Y.encodeStateAsUpdate(doc));
  const updates: Uint8Array[] = [];
  own.on("update", (update: Uint8Array) => updates.push(update));
  own.transact(() => redirect(own.getXmlFragment("default"), copy));
  const [update] = updates;
  return update === undefined
    ? null
    : { update: encodeEdits([{ update, time: copy.time }]), clientIds: [own.clientID] };
}
