import type { DOMOutputSpec } from "@tiptap/pm/model";
import { closedLink, linkElement, targetOf } from "@/events/content/document-link";
import { linkNames } from "./link-names";

/** Renders a link to a document as this page's reader sees it. Returns null for other nodes. */
export function linkSpec(node: string, attributes: Record<string, unknown>): DOMOutputSpec | null {
  if (node !== "documentLink") return null;
  const target = targetOf(attributes);
  return linkElement(target, target === null ? closedLink : linkNames.nameOf(target.document));
}
