/** Returns the rows of the visible tree. If the sheet is open, these are the sheet's rows. */
function shownRows(): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
  return rows.filter((row) => row.checkVisibility() && !row.closest("[inert], [aria-hidden=true]"));
}

const idOf = (row: HTMLElement) => row.dataset.document;

/** Focuses the row of a document once it is rendered. */
export function focusRow(id: string): void {
  requestAnimationFrame(() =>
    shownRows()
      .find((row) => idOf(row) === id)
      ?.focus(),
  );
}

/** Focuses the row of a document if the focus would be lost. A focused text or menu keeps it. */
export function returnToRow(id: string): void {
  requestAnimationFrame(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) focusRow(id);
  });
}

/** Focuses the row after a document's, or else the row before it, once the row is removed. */
export function focusRowBeside(id: string): void {
  const rows = shownRows();
  const at = rows.findIndex((row) => idOf(row) === id);
  const level = Number(rows[at]?.ariaLevel);
  // The rows of descendants are removed together with the document's row.
  const behind = rows.slice(at + 1).find((row) => Number(row.ariaLevel) <= level);
  const next = behind ?? rows[at - 1];
  if (next) requestAnimationFrame(() => next.focus());
}
