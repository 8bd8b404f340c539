import { bodyOf } from "@/events/core/recorded-body";
import type { RecordedRow } from "@/events/core/recorded-body";

/** The fields of an event from which an import's names are read. */
export type ImportMark = RecordedRow & { revision: number };

/** Returns the body of the import with which a document began. */
export function importOf(marks: readonly ImportMark[]) {
  const mark = marks.find(({ type }) => type === "document.imported");
  return mark ? bodyOf(mark, "document.imported") : null;
}

/** Returns the authors' names in an imported history's file. Steps refer to them by index. */
export function importedNames(marks: readonly ImportMark[]): string[] {
  return importOf(marks)?.authors?.map(({ name }) => name) ?? [];
}
