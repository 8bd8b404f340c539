import { linkElement, targetOf } from "./document-link";
import type { LinkName } from "./document-link";
import { markup } from "./static-html";

// Text written by people is escaped, so no other part of a text's HTML matches this pattern.
const links =
  /<a class="document-link"[^<>]*? data-document="([0-9a-f-]{36})"(?: data-block="([0-9-]+)")?[^<>]*>[^<>]*<\/a>/g;

/** Returns the ids of the documents that a text links to, read from its HTML. */
export function linkedIn(html: string): string[] {
  return [...new Set([...html.matchAll(links)].flatMap(([, document]) => document ?? []))];
}

/** Replaces the names of the first `most` links in HTML by the names that the reader may see. */
export function withLinkNames(
  html: string,
  nameOf: (document: string) => LinkName,
  most = Infinity,
): string {
  let named = 0;
  return html.replace(links, (link, document: string, block?: string) => {
    named += 1;
    if (named > most) return link;
    const target = targetOf({ document, block });
    return target === null ? link : markup(linkElement(target, nameOf(document)), "");
  });
}
