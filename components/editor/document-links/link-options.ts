import { go } from "fuzzysort";
import type { LinkedDocument } from "@/events/content/document-link";
import { linkNames } from "./link-names";
import type { LinkQuery } from "./link-query";

/** An option of the list behind `[[`: a document, or a new document with the typed title. */
export type LinkOption = { kind: "document"; row: LinkedDocument } | { kind: "new"; title: string };

const most = 7;
/** The lowest score of a match. Below it, the letters are too few or too scattered to be meant. */
const threshold = 0.3;

/** Returns the id of an option's element, for the editor's ARIA attributes. */
export function optionId(option: LinkOption): string {
  return option.kind === "document" ? `link-${option.row.id}` : "link-new";
}

/** Returns the title of a document's parent, or null at the top level. */
export function parentTitle({ parent }: Pick<LinkedDocument, "parent">): string | null {
  const above = parent ? linkNames.documents.find(({ id }) => id === parent) : undefined;
  return above ? shownTitle(above) : null;
}

/** Returns the title of a document as lists show it. */
export function shownTitle({ title }: Pick<LinkedDocument, "title">): string {
  return title.trim() === "" ? "Untitled" : title;
}

/** Returns the options that match the query, best first. Without a query, the latest documents. */
export function linkOptions({ words, sign }: Pick<LinkQuery, "words" | "sign">): LinkOption[] {
  // Untitled documents look alike, and the open document does not link to itself.
  const rows = linkNames.documents.filter(
    ({ id, title }) => title.trim() !== "" && !location.pathname.endsWith(id),
  );
  const found =
    words.trim() === ""
      ? rows.slice(0, most)
      : go(words, rows, { key: shownTitle, limit: most, threshold }).map(({ obj }) => obj);
  const options = found.map((row): LinkOption => ({ kind: "document", row }));
  const title = words.trim();
  return sign === "[[" && title !== "" ? [...options, { kind: "new", title }] : options;
}
