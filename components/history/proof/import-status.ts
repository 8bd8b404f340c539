import { bodyOf } from "@/events/core/recorded-body";
import type { Store } from "@/events/log/store";
import { importedWords } from "@/machines/import/imported-authors";

/** The version of the import event, second in its stream. The steps of a history may follow. */
const importVersion = 2;

/** The imported content of a document in words. `whole` is true if the import is complete. */
export type BroughtImport = {
  words: string;
  /** The version at which the import is complete. */ complete: number;
  whole: boolean;
};

/**
 * Reads the import event from the beginning of a stream. A history that is imported step by step is
 * complete once the import event is repeated after the steps.
 */
export async function broughtImport(
  store: Pick<Store, "read">,
  documentId: string,
): Promise<BroughtImport | null> {
  const [row, next] = await store.read(documentId, importVersion - 1, 2);
  const words = row ? importedWords([{ type: row.type, body: row.body, revision: 0 }], 0) : null;
  if (words === null || !row) return null;
  const events = bodyOf(row, "document.imported")?.events;
  if (next?.type !== "document.step_imported" || events === undefined)
    return { words, complete: importVersion, whole: true };
  const complete = importVersion + events + 1;
  const [last] = await store.read(documentId, complete - 1, 1);
  return { words, complete, whole: last?.type === "document.imported" };
}
