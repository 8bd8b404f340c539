import { beginTypeAhead } from "./type-ahead";

/** The document that somebody has just begun here, until its page has the caret in its title. */
let begun: string | null = null;
let typeAhead: ReturnType<typeof beginTypeAhead> | null = null;

/** Keeps what is typed from now on for the title of the document that is about to be begun. */
export function awaitTitle(): void {
  typeAhead?.end();
  typeAhead = beginTypeAhead();
}

/** What was typed for the title of the document that is about to be begun. */
export function titleSoFar(): string {
  return typeAhead?.typed() ?? "";
}

/** The document was not begun: what was typed is for nothing. */
export function stopAwaitingTitle(): void {
  typeAhead?.end();
  typeAhead = null;
}

/** Has the page of a new document begin in its title. */
export function beginInTitle(id: string): void {
  begun = id;
  if (typeAhead === null) awaitTitle();
}

/** What was typed for the title of a document that was just begun here; null for any other. Asked once. */
export function takeTypedTitle(id: string): string | null {
  if (begun === null) return null;
  if (begun !== id) {
    // Somebody has gone elsewhere meanwhile.
    begun = null;
    stopAwaitingTitle();
    return null;
  }
  begun = null;
  const typed = typeAhead?.end() ?? "";
  typeAhead = null;
  return typed;
}
