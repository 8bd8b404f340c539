/** The rows of the visible tree: the one in the sheet when that is open. */
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

/**
 * The same if the focus would otherwise be lost; focus that has moved on to a text or a menu stays.
 */
export function returnToRow(id: string): void {
  requestAnimationFrame(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) focusRow(id);
  });
}

/** Focuses the row after that of a document, or the one before it, once that is removed. */
export function focusRowBeside(id: string): void {
  const rows = shownRows();
  const at = rows.findIndex((row) => idOf(row) === id);
  const level = Number(rows[at]?.ariaLevel);
  // Its descendants are removed with it.
  const behind = rows.slice(at + 1).find((row) => Number(row.ariaLevel) <= level);
  const next = behind ?? rows[at - 1];
  if (next) requestAnimationFrame(() => next.focus());
}
