/** The document that somebody has just begun here, until its page has the caret in its title. */
let begun: string | null = null;

/** Has the page of a new document begin in its title. */
export function beginInTitle(id: string): void {
  begun = id;
}

/** Whether this document has just been begun here; asked once. */
export function hasJustBegun(id: string): boolean {
  const is = begun === id;
  if (is) begun = null;
  return is;
}
