import type { Json } from "@/events/core/envelope";

/** An event as far as the words of an import are read from it. */
export type ImportMark = { type: string; moment: number; body: Json };

/** The name of an author whom the body of an import lists; none where there is no name. */
export function nameOf(author: Json): string[] {
  return author !== null &&
    typeof author === "object" &&
    !Array.isArray(author) &&
    typeof author.name === "string"
    ? [author.name]
    : [];
}

/** The body of the import that a document began with. */
export function importOf(marks: readonly ImportMark[]) {
  const body = marks.find(({ type }) => type === "document.imported")?.body;
  return !body || typeof body !== "object" || Array.isArray(body) ? null : body;
}

/** Who wrote an imported history, as its file names them; the place in the list is what its steps know them by. */
export function importedNames(marks: readonly ImportMark[]): string[] {
  const authors = importOf(marks)?.authors;
  return Array.isArray(authors) ? authors.map((author) => nameOf(author)[0] ?? "Somebody") : [];
}
