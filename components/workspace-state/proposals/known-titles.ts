type TitledRow = { id: string; title: string; version: number };

/**
 * The titles of documents that this tab has read or set, on any page. Back and Forward restore the
 * router's cached page with an old title. Typing over the old title would revert a newer title, so
 * the known title replaces it.
 */
export class KnownTitles {
  private readonly read = new Map<string, TitledRow>();
  private readonly given = new Map<string, { title: string }>();

  /** Records rows that were read. */
  note(rows: readonly TitledRow[]): void {
    for (const { id, title, version } of rows) this.read.set(id, { id, title, version });
  }

  /** Shows a new title until `done` settles, when the row with this title has been read. */
  give<T>(id: string, title: string, done: Promise<T>): Promise<T> {
    const given = { title };
    this.given.set(id, given);
    const end = () => {
      if (this.given.get(id) === given) this.given.delete(id);
    };
    done.then(end, end);
    return done;
  }

  /** Returns the newest known title of a document, given the row that a page has. */
  of({ id, title, version }: TitledRow): string {
    const given = this.given.get(id);
    if (given !== undefined) return given.title;
    const read = this.read.get(id);
    return read !== undefined && read.version > version ? read.title : title;
  }
}

const known = new Map<string, KnownTitles>();

/** Returns the titles that a person knows in this tab. Works only in a browser. */
export function knownTitles(userId: string): KnownTitles {
  const titles = known.get(userId) ?? new KnownTitles();
  known.set(userId, titles);
  return titles;
}

/** Returns the title that a person knows in this tab, given the row that a page has. */
export const titleHere = (row: TitledRow, userId: string): string =>
  known.get(userId)?.of(row) ?? row.title;
