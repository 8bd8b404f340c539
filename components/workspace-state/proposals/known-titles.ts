type TitledRow = { id: string; title: string; version: number };

/**
 * The titles that this tab knows of documents, whatever page it shows: those it has read, and those
 * it has given and the log has not recorded. Back and Forward bring a page that the router has kept,
 * with the title of then: typing behind that title would take back a newer one.
 */
export class KnownTitles {
  private readonly read = new Map<string, TitledRow>();
  private readonly given = new Map<string, { title: string }>();

  /** Rows that were read of documents. */
  note(rows: readonly TitledRow[]): void {
    for (const { id, title, version } of rows) this.read.set(id, { id, title, version });
  }

  /** Shows a title that is given until `done` settles, when the row that holds it has been read. */
  give<T>(id: string, title: string, done: Promise<T>): Promise<T> {
    const given = { title };
    this.given.set(id, given);
    const end = () => {
      if (this.given.get(id) === given) this.given.delete(id);
    };
    done.then(end, end);
    return done;
  }

  /** The title of a document of which a page has this row. */
  of({ id, title, version }: TitledRow): string {
    const given = this.given.get(id);
    if (given !== undefined) return given.title;
    const read = this.read.get(id);
    return read !== undefined && read.version > version ? read.title : title;
  }
}

const known = new Map<string, KnownTitles>();

/** Those that a person knows in this tab; only in a browser. */
export function knownTitles(userId: string): KnownTitles {
  const titles = known.get(userId) ?? new KnownTitles();
  known.set(userId, titles);
  return titles;
}

/** The title of a document of which a page has this row, as a person knows it in this tab. */
export const titleHere = (row: TitledRow, userId: string): string =>
  known.get(userId)?.of(row) ?? row.title;
