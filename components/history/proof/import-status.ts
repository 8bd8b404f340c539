import { bodyOf } from "@/events/core/recorded-body";
import type { Store } from "@/events/log/store";
import { importedWords } from "@/machines/import/imported-authors";

/**
 * An import is the second event of its stream, and nothing but it says so; behind it may come the
 * steps of a history.
 */
const importVersion = 2;

/** What an import brought into a document, in words, and whether all of it has come. */
export type BroughtImport = {
  words: string;
  /** The version at which all of it is here. */ complete: number;
  whole: boolean;
};

/**
 * What the beginning of a stream says of an import; a history that is told step by step is whole
 * where its import stands once more behind them.
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
