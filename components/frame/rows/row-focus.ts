/** The rows of the tree that is shown: the one in the sheet where that is open. */
function shownRows(): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
  return rows.filter((row) => row.checkVisibility() && !row.closest("[inert], [aria-hidden=true]"));
}

const idOf = (row: HTMLElement) => row.dataset.document;

/** Focuses the row of a document once it is drawn. */
export function focusRow(id: string): void {
  requestAnimationFrame(() =>
    shownRows()
      .find((row) => idOf(row) === id)
      ?.focus(),
  );
}

/**
 * The same where the focus would be left nowhere: whoever has gone on meanwhile, to write or to
 * another menu, is not called back.
 */
export function returnToRow(id: string): void {
  requestAnimationFrame(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) focusRow(id);
  });
}

/** Focuses the row behind the one of a document, or the one before it, once that has gone. */
export function focusRowBeside(id: string): void {
  const rows = shownRows();
  const at = rows.findIndex((row) => idOf(row) === id);
  const level = Number(rows[at]?.ariaLevel);
  // What stands in it goes with it.
  const behind = rows.slice(at + 1).find((row) => Number(row.ariaLevel) <= level);
  const next = behind ?? rows[at - 1];
  if (next) requestAnimationFrame(() => next.focus());
}
