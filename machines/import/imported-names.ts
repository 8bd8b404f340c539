import { bodyOf, type RecordedRow } from "@/events/core/recorded-body";

/** An event as far as the words of an import are read from it. */
export type ImportMark = RecordedRow & { revision: number };

/** The body of the import that a document began with. */
export function importOf(marks: readonly ImportMark[]) {
  const mark = marks.find(({ type }) => type === "document.imported");
  return mark ? bodyOf(mark, "document.imported") : null;
}

/** Who wrote an imported history, as its file names them; the place in the list is what its steps know them by. */
export function importedNames(marks: readonly ImportMark[]): string[] {
  return importOf(marks)?.authors?.map(({ name }) => name) ?? [];
}
