import { go } from "fuzzysort";
import type { LinkedDocument } from "@/events/content/document-link";
import { linkNames } from "./link-names";
import type { LinkQuery } from "./link-query";

/** An option of the list behind `[[`: a document, or a new one with the typed title. */
export type LinkOption = { kind: "document"; row: LinkedDocument } | { kind: "new"; title: string };

const most = 7;
/** Matches with a lower score have too few or too scattered letters to be meant. */
const threshold = 0.3;

/** The id of an option's element, for the editor's aria attributes. */
export function optionId(option: LinkOption): string {
  return option.kind === "document" ? `link-${option.row.id}` : "link-new";
}

/** The title of a document's parent; null at the top level. */
export function parentTitle({ parent }: Pick<LinkedDocument, "parent">): string | null {
  const above = parent ? linkNames.documents.find(({ id }) => id === parent) : undefined;
  return above ? shownTitle(above) : null;
}

/** The title of a document as lists show it. */
export function shownTitle({ title }: Pick<LinkedDocument, "title">): string {
  return title.trim() === "" ? "Untitled" : title;
}

/** The options that match the query, best first; without a query, the documents changed last. */
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
