import { blockInHash } from "@/events/core/ids/block-key";

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const page = /^\/d\/([0-9a-f-]{36})\/?(#\d{1,10}-\d{1,15})?$/i;

/** What a link to a document names: the document, and perhaps a block of it. */
export type DocumentTarget = { document: string; block: string | null };

/** Whether this is the id of a document as a link in a text names it. */
export function isDocumentId(value: unknown): value is string {
  return typeof value === "string" && id.test(value);
}

/** Whether this names a block as a link in a text does: as an address, without its sign. */
export function isBlockName(value: unknown): value is string {
  return typeof value === "string" && !value.startsWith("#") && blockInHash(value) !== null;
}

/** The path at which what a link names is opened. */
export function pathOfTarget({ document, block }: DocumentTarget): string {
  return `/d/${document}${block === null ? "" : `#${block}`}`;
}

/**
 * What an address on its own names, where it is that of a document of this site or of a block of
 * one; null of every other, also of a document's past.
 */
export function targetOfAddress(address: string, origin: string): DocumentTarget | null {
  const text = address.trim();
  const path = text.startsWith(`${origin}/`) ? text.slice(origin.length) : text;
  const [, found = "", hash = ""] = page.exec(path) ?? [];
  const document = found.toLowerCase();
  return isDocumentId(document) ? { document, block: hash === "" ? null : hash.slice(1) } : null;
}
