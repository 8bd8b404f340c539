import { blockInHash } from "@/events/core/ids/block-key";

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const page = /^\/d\/([0-9a-f-]{36})\/?(#\d{1,10}-\d{1,15})?$/i;

/** The target of a document link: a document, and optionally a block of it. */
export type DocumentTarget = { document: string; block: string | null };

/** Whether a value is a document id as links in a text store it. */
export function isDocumentId(value: unknown): value is string {
  return typeof value === "string" && id.test(value);
}

/** Whether a value names a block as links in a text store it: a URL hash without the `#`. */
export function isBlockName(value: unknown): value is string {
  return typeof value === "string" && !value.startsWith("#") && blockInHash(value) !== null;
}

/** Returns the path of a link target. */
export function pathOfTarget({ document, block }: DocumentTarget): string {
  return `/d/${document}${block === null ? "" : `#${block}`}`;
}

/**
 * Returns the target of a URL of a document or block on this site. Null for any other URL,
 * including a document's history.
 */
export function targetOfAddress(address: string, origin: string): DocumentTarget | null {
  const text = address.trim();
  const path = text.startsWith(`${origin}/`) ? text.slice(origin.length) : text;
  const [, found = "", hash = ""] = page.exec(path) ?? [];
  const document = found.toLowerCase();
  return isDocumentId(document) ? { document, block: hash === "" ? null : hash.slice(1) } : null;
}
