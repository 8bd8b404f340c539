import type { Channels } from "@/events/realtime/channel";
import { StoreFault } from "@/events/log/store";
import type { DocumentRow } from "@/events/read-models/document-rows";
import {
  markAllRead,
  markSeen,
  parsePersonalNotice,
  personalNotice,
  readPersonal,
  readSeen,
  setFavourite,
} from "@/events/read-models/personal";
import type { Personal } from "@/events/read-models/personal";
import type { Rows } from "@/events/read-models/rows";
import { OptimisticValue } from "./optimistic-value";
import { seenAtFirst, unreadDocuments } from "./unread-documents";

type Input = {
  initial: { documents: readonly DocumentRow[]; personal: Personal };
  workspaceId: string;
  userId: string;
  /** Resolves to the tables once this tab is connected. */
  rows: () => Promise<Rows>;
  /** Returns the version up to which this browser has shown a document. */
  shownHere: (document: string) => number;
  /** Called with the reason when the database refuses a change. */
  onRefused: (sentence: string) => void;
  /** Called when a change could not be recorded. */
  onFault: (fault: unknown) => void;
};

/** The store's state. Every change creates a new object. */
type PersonalState = Pick<Personal, "favourites" | "recents" | "readAt"> & {
  /** The version up to which each document was read. */
  seen: ReadonlyMap<string, number>;
};

const mostRecents = 20;

/** Returns the favourites with a document moved to `place`, or without it if `place` is null. */
function withFavourite(
  favourites: readonly string[],
  document: string,
  place: number | null,
): readonly string[] {
  const others = favourites.filter((id) => id !== document);
  return place === null ? others : [...others.slice(0, place), document, ...others.slice(place)];
}

/** Returns the recently opened documents with this document in front. */
const withOpened = (recents: readonly string[], document: string): readonly string[] =>
  [document, ...recents.filter((id) => id !== document)].slice(0, mostRecents);

/**
 * A person's own state in a workspace: favourites, recent documents and read marks. The store shows
 * changes at once in this tab and follows the person's other tabs.
 */
export class PersonalStore {
  private readonly input: Input;
  private readonly own: OptimisticValue<Personal>;
  private readonly listeners = new Set<() => void>();
  private seenVersions: ReadonlyMap<string, number>;
  private current: PersonalState;
  private documents: readonly DocumentRow[];
  /** The last write. Writes run in sequence, so that the database gets rapid changes in order. */
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(input: Input) {
    const { documents, personal } = input.initial;
    this.input = input;
    this.documents = documents;
    this.own = new OptimisticValue(personal);
    this.seenVersions = seenAtFirst(documents, personal.unread);
    this.current = this.stated();
    this.own.subscribe(() => this.publish());
  }

  readonly state = (): PersonalState => this.current;

  /** Calls `listener` at every change. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Replaces the list of the workspace's documents. */
  show(documents: readonly DocumentRow[]): void {
    this.documents = documents;
  }

  /** Returns the documents that others have changed, each with the version read so far. */
  unreadAmong(documents: readonly DocumentRow[]): ReadonlyMap<string, number> {
    const { userId, shownHere } = this.input;
    const { readAt, seen } = this.current;
    return unreadDocuments(documents, userId, readAt, (id) =>
      Math.max(seen.get(id) ?? 0, shownHere(id)),
    );
  }

  /** Follows the person's other tabs and devices. Returns the function that disconnects. */
  connect(backend: { rows: Rows; channels: Pick<Channels, "subscribe"> }): () => void {
    const { userId, workspaceId } = this.input;
    const channel = backend.channels.subscribe(userId, {
      // Notices may have been missed before a join, so every join reads the rows.
      state: (state) => {
        if (state === "joined") void this.read(backend.rows);
      },
      broadcast: (event, payload) => {
        const notice = event === personalNotice ? parsePersonalNotice(payload) : null;
        if (notice?.workspace !== workspaceId) return;
        const { document, version } = notice;
        if (document === undefined || version === undefined) void this.read(backend.rows);
        else this.reached(new Map([[document, version]]));
      },
    });
    return () => channel.close();
  }

  /** Records that a version of a document was read, `opened` if its page has just been opened. */
  seen(document: string, version: number, opened: boolean): void {
    this.reached(new Map([[document, version]]));
    const settle = opened
      ? this.own.change((own) => ({ ...own, recents: withOpened(own.recents, document) }))
      : null;
    void this.input
      .rows()
      .then((rows) => markSeen(rows, document, version, opened))
      // Nothing is lost: the next change or visit records the version again.
      .catch((fault: unknown) => {
        if (!(fault instanceof StoreFault)) throw fault;
      })
      // The document was opened here, whether or not the database recorded it.
      .finally(() => settle?.(true));
  }

  /** Adds a favourite at `place` (from 0) or after the others, or removes it. */
  favour(document: string, favourite: boolean, place?: number): void {
    const shownAt = favourite ? (place ?? Infinity) : null;
    this.change(
      (own) => ({ ...own, favourites: withFavourite(own.favourites, document, shownAt) }),
      (rows) => setFavourite(rows, document, favourite, place ?? null),
      "You have 200 favourites here. Remove one to add another.",
    );
  }

  /** Marks all unread documents as read. Returns their number and a function that undoes it. */
  readAll(): { count: number; undo: () => void } {
    const { readAt: before } = this.current;
    const unread = this.unreadAmong(this.documents);
    const changed = this.documents
      .filter(({ id }) => unread.has(id))
      .map(({ updatedAt }) => updatedAt);
    this.readUntil(changed.reduce((last, time) => (time > last ? time : last), before));
    return { count: changed.length, undo: () => this.readUntil(before) };
  }

  private async read(rows: Rows): Promise<void> {
    try {
      const unread = this.unreadAmong(this.documents);
      this.reached(await readSeen(rows, [...unread.keys()]));
      const take = this.own.read();
      take(await readPersonal(rows, this.input.workspaceId));
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
    }
  }

  private readUntil(readAt: string): void {
    this.change(
      (own) => ({ ...own, readAt }),
      (rows) => markAllRead(rows, this.input.workspaceId, readAt),
      "You don’t belong to this workspace any more.",
    );
  }

  private reached(versions: ReadonlyMap<string, number>): void {
    const known = this.seenVersions;
    const fresh = [...versions].filter(([id, version]) => version > (known.get(id) ?? 0));
    if (fresh.length === 0) return;
    this.seenVersions = new Map([...known, ...fresh]);
    this.publish();
  }

  private change(
    apply: (own: Personal) => Personal,
    work: (rows: Rows) => Promise<boolean>,
    refusal: string,
  ): void {
    const settle = this.own.change(apply);
    this.lastWrite = this.lastWrite.then(() => this.record(work, refusal)).then(settle);
  }

  private async record(work: (rows: Rows) => Promise<boolean>, refusal: string): Promise<boolean> {
    try {
      const isRecorded = await work(await this.input.rows());
      if (!isRecorded) this.input.onRefused(refusal);
      return isRecorded;
    } catch (fault) {
      this.input.onFault(fault);
      return false;
    }
  }

  private stated(): PersonalState {
    const { favourites, recents, readAt } = this.own.value();
    return { favourites, recents, readAt, seen: this.seenVersions };
  }

  private publish(): void {
    this.current = this.stated();
    for (const listener of this.listeners) listener();
  }
}
