import type { TreeRow } from "./tree-rows";

type Titled = { id: string; title: string };
type Row = TreeRow<Titled> & { isOpen: boolean };

/** The effect of a key in a tree: it focuses another row, or opens or closes rows. */
type TreeAction =
  { focus: string } | { open: readonly string[] } | { close: readonly string[] } | null;

/** Returns the effect of a key on a document's row, or null if it has none. */
export function treeAction(rows: readonly Row[], id: string, key: string): TreeAction {
  const at = rows.findIndex(({ document }) => document.id === id);
  const row = rows[at];
  if (!row) return null;
  const to = (target: Row | undefined): TreeAction =>
    target ? { focus: target.document.id } : null;
  const outer = () => rows.slice(0, at).findLast(({ level }) => level < row.level);
  switch (key) {
    case "ArrowDown":
      return to(rows[at + 1]);
    case "ArrowUp":
      return to(rows[at - 1]);
    case "Home":
      return to(rows[0]);
    case "End":
      return to(rows.at(-1));
    case "ArrowRight":
      if (!row.hasInside) return null;
      return row.isOpen ? to(rows[at + 1]) : { open: [id] };
    case "ArrowLeft":
      return row.hasInside && row.isOpen ? { close: [id] } : to(outer());
    case "*": {
      const first = outer();
      const from = first ? rows.indexOf(first) + 1 : 0;
      const behind = rows.slice(from).findIndex(({ level }) => level < row.level);
      const beside = rows.slice(from, behind < 0 ? undefined : from + behind);
      return {
        open: beside.flatMap(({ level, hasInside, document }) =>
          level === row.level && hasInside ? [document.id] : [],
        ),
      };
    }
    default:
      return null;
  }
}

/** Returns the next row whose title starts with the typed text, wrapping around at the end. */
export function rowByTitle(rows: readonly Row[], id: string, typed: string): string | null {
  const at = rows.findIndex(({ document }) => document.id === id);
  // A single letter moves on. Several letters may still match the row that the first one led to.
  const from = [...typed].length > 1 ? at : at + 1;
  const wanted = typed.toLocaleLowerCase();
  const found = [...rows.slice(from), ...rows.slice(0, from)].find(({ document }) =>
    (document.title || "Untitled").toLocaleLowerCase().startsWith(wanted),
  );
  return found?.document.id ?? null;
}
