import { beginTypeAhead } from "./type-ahead";

/** The id of a new document until its page has put the caret into its title. */
let begun: string | null = null;
let typeAhead: ReturnType<typeof beginTypeAhead> | null = null;

/** Starts to capture typing for the title of a document that is about to be created. */
export function awaitTitle(): void {
  typeAhead?.end();
  typeAhead = beginTypeAhead();
}

/** The title typed so far for that document. */
export function titleSoFar(): string {
  return typeAhead?.typed() ?? "";
}

/** Drops the typed title when the document was not created. */
export function stopAwaitingTitle(): void {
  typeAhead?.end();
  typeAhead = null;
}

/** Makes the page of a new document start in its title. */
export function beginInTitle(id: string): void {
  begun = id;
  if (typeAhead === null) awaitTitle();
}

/** Takes the title typed for a new document; null for any other document. */
export function takeTypedTitle(id: string): string | null {
  if (begun === null) return null;
  if (begun !== id) {
    // The person has gone to another page meanwhile.
    begun = null;
    stopAwaitingTitle();
    return null;
  }
  begun = null;
  const typed = typeAhead?.end() ?? "";
  typeAhead = null;
  return typed;
}
