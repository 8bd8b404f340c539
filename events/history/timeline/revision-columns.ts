import { appendAll } from "@/events/core/append-all";
import { lastUpTo } from "@/events/core/binary-search";
import { grown } from "@/events/core/bytes/growing";

/** The author and time of each revision, in a few bytes each. */
export type RevisionColumns = {
  length: number;
  /** The first revision of each version, from version 1 on. */
  starts: Uint32Array;
  /** Milliseconds after the current epoch. */
  times: Uint32Array;
  epochs: { from: number; time: number }[];
  authors: Uint16Array;
  /** User ids in the order of their first revision. */
  userIds: string[];
  /**
   * The revisions whose edit index differs from their position in the version, because edits of
   * their event were rejected.
   */
  skips: { revision: number; edit: number }[];
};

const epochLength = 2 ** 32 - 1;

/** Collects revisions. Their times never decrease. */
export class RevisionColumnsBuilder {
  length = 0;
  private versions = 0;
  private starts = new Uint32Array(64);
  private times = new Uint32Array(64);
  private authors = new Uint16Array(64);
  private latest = Number.NEGATIVE_INFINITY;
  private epoch = Number.NEGATIVE_INFINITY;
  private readonly epochs: RevisionColumns["epochs"] = [];
  private readonly users = new Map<string, number>();
  private readonly skips: RevisionColumns["skips"] = [];

  /** Returns an independent copy of the revisions. */
  copy(): RevisionColumnsBuilder {
    const made = new RevisionColumnsBuilder();
    made.length = this.length;
    made.versions = this.versions;
    made.starts = this.starts.slice();
    made.times = this.times.slice();
    made.authors = this.authors.slice();
    made.latest = this.latest;
    made.epoch = this.epoch;
    appendAll(made.epochs, this.epochs);
    for (const [user, number] of this.users) made.users.set(user, number);
    for (const skip of this.skips) made.skips.push(skip);
    return made;
  }

  /** Begins the next version. */
  begin(): void {
    this.starts = grown(this.starts, this.versions + 1);
    this.starts[this.versions] = this.length;
    this.versions += 1;
  }

  get version(): number {
    return this.versions;
  }

  /** Returns the time of the last revision. */
  get now(): number {
    return this.latest;
  }

  authorAt(index: number): number {
    return this.authors[index] ?? 0;
  }

  /** Adds a revision to the current version and returns its number. */
  push(edit: number, author: number, time: number): number {
    const index = this.length;
    this.length += 1;
    this.times = grown(this.times, this.length);
    this.authors = grown(this.authors, this.length);
    this.latest = Math.max(this.latest, time);
    if (!(this.latest - this.epoch <= epochLength)) {
      this.epoch = this.latest;
      this.epochs.push({ from: index, time: this.latest });
    }
    this.times[index] = this.latest - this.epoch;
    this.authors[index] = author;
    if (edit !== index - (this.starts[this.versions - 1] ?? 0))
      this.skips.push({ revision: index, edit });
    return index;
  }

  finish(): RevisionColumns {
    const { length, epochs, skips } = this;
    const [starts, times, authors] = [
      this.starts.slice(0, this.versions),
      this.times.slice(0, length),
      this.authors.slice(0, length),
    ];
    const userIds = [...this.users.keys()];
    return { length, starts, times, epochs: [...epochs], authors, userIds, skips: [...skips] };
  }

  /** Returns an author's number here, and assigns a number to a new author. */
  authorOf(userId: string): number {
    const known = this.users.get(userId);
    if (known !== undefined) return known;
    this.users.set(userId, this.users.size);
    return this.users.size - 1;
  }
}

/** Returns a revision's time, in milliseconds since 1970. */
export function timeAt({ times, epochs }: RevisionColumns, index: number): number {
  let epoch = epochs.length - 1;
  while (epoch > 0 && (epochs[epoch]?.from ?? 0) > index) epoch -= 1;
  return (epochs[epoch]?.time ?? 0) + (times[index] ?? 0);
}

/** Returns a revision's version, and its edit's index within the event. */
export function placeAt(
  { starts, skips }: RevisionColumns,
  index: number,
): { version: number; edit: number } {
  const before = lastUpTo(starts, index);
  const skip = skips.find(({ revision }) => revision === index);
  return { version: before + 1, edit: skip?.edit ?? index - (starts[before] ?? 0) };
}
