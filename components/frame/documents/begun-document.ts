import { beginTypeAhead } from "./type-ahead";

/** The id of a new document until its page has moved the caret into the title. */
let begun: string | null = null;
let typeAhead: ReturnType<typeof beginTypeAhead> | null = null;

/** Starts to capture typing for the title of a document that is about to be created. */
export function awaitTitle(): void {
  typeAhead?.end();
  typeAhead = beginTypeAhead();
}

/** Returns the title that was typed so far for the new document. */
export function titleSoFar(): string {
  return typeAhead?.typed() ?? "";
}

/** Discards the typed title if the document was not created. */
export function stopAwaitingTitle(): void {
  typeAhead?.end();
  typeAhead = null;
}

/** Makes the page of a new document start with the caret in its title. */
export function beginInTitle(id: string): void {
  begun = id;
  if (typeAhead === null) awaitTitle();
}

/** Returns and clears the title typed for a new document. Returns null for other documents. */
export function takeTypedTitle(id: string): string | null {
  if (begun === null) return null;
  if (begun !== id) {
    // The person has opened another page meanwhile.
    begun = null;
    stopAwaitingTitle();
    return null;
  }
  begun = null;
  const typed = typeAhead?.end() ?? "";
  typeAhead = null;
  return typed;
}
