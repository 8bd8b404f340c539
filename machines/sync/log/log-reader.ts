import { type ValidationRow } from "@/events/crdt/validation/validation";
import {
  ConfirmedDocument,
  UnknownOwner,
  type AcceptedEdit,
} from "@/events/crdt/validation/confirmed-document";
import {
  type DocumentState,
  type StateParts,
  type WholeState,
} from "@/events/crdt/validation/document-state";
import { type Clock } from "@/events/core/clock";
import { type Ruled } from "@/events/core/envelope";
import { StoreFault, type Store } from "@/events/log/store";
import { type LogReading } from "../channel/reading";
import { TimeSlices } from "../channel/time-slices";
import { bringsTombstone } from "@/events/crdt/payload/tombstone-payload";

/** The last row that was folded; `hash` is null as long as nobody has told it. */
type Head = { version: number; hash: string | null };

/** Where a reading goes: the page, which shows it before the next is read, and by whose clock it has turns between. */
type Shown = { page: { take(reading: LogReading): void | Promise<void> }; clock: Clock };

/** How many rows are known again by their ids, for notices that come late. */
const rememberedRows = 1_000;

function structsOf(edits: readonly AcceptedEdit[]): number {
  return edits.reduce((sum, { inspected }) => sum + inspected.structs.length, 1);
}

/**
 * The fourth stage of a keystroke: keeps the confirmed document at the head of its log, also of one
 * in whose place an older backup was put, and hands on what it read.
 */
export class LogReader {
  readonly confirmed: ConfirmedDocument;
  private readonly stream: string;
  private readonly store: Pick<Store, "read">;
  private readonly initial: DocumentState | null;
  private readonly recent = new Set<string>();
  private head: Head | null;
  /**
   * The rows that a doubt calls into question: the head as the last reading found it, and what was
   * folded since, in order. A log can be replaced before that is heard of, and the same reading have
   * been answered by the other log.
   */
  private trail: Head[];
  /** How often the log was doubted, and how many of these doubts an answer that was asked for later has settled. */
  private doubts: number;
  private settled = 0;
  private tail: Promise<unknown> = Promise.resolve();
  private readonly shown: Shown | null;
  /** The events that the log has acknowledged at versions that are yet to be read, by these. */
  private readonly owed = new Map<number, string>();

  /** `confirmed` is what it keeps, begun from `initial`; on a server nobody is shown it. */
  constructor(
    stream: string,
    store: Pick<Store, "read">,
    initial: DocumentState | null,
    confirmed = new ConfirmedDocument(initial),
    shown: Shown | null = null,
  ) {
    this.stream = stream;
    this.store = store;
    this.initial = initial;
    this.confirmed = confirmed;
    this.shown = shown;
    this.head =
      initial && initial.version > 0
        ? { version: initial.version, hash: initial.hash ?? null }
        : null;
    this.trail = this.head ? [this.head] : [];
    this.doubts = this.trail.length;
  }

  /** What the log holds up to here, with the hash of its last row where that is known. */
  state(): WholeState {
    const hash = this.head?.hash;
    return { ...this.confirmed.state(), ...(hash && { hash }) };
  }

  /** The same in parts, for which nothing is encoded; null where they are too many. */
  parts(): StateParts | null {
    const hash = this.head?.hash;
    const parts = this.confirmed.parts();
    return parts && { ...parts, ...(hash && { hash }) };
  }

  /**
   * Has the next reading look whether the log still holds what was read of it: the way to it was
   * gone, or it contradicts itself.
   */
  doubt(): void {
    this.doubts += 1;
  }

  /** Whether the next reading will look. */
  get inDoubt(): boolean {
    return this.trail.length > 0 && this.doubts > this.settled;
  }

  /** Whether these are among the last rows that were folded. */
  knows(ids: readonly string[]): boolean {
    return ids.every((id) => this.recent.has(id));
  }

  /** Reads on from where the fold stands; readings follow each other, never overlap. */
  read(): Promise<LogReading> {
    const read = async () => {
      const reading = await this.readOn();
      await this.shown?.page.take(reading);
      return reading;
    };
    const reading = this.tail.then(read, read);
    this.tail = reading;
    return reading;
  }

  /** The log has acknowledged these events, some of which may be yet to be read. */
  acknowledged(rulings: readonly Pick<Ruled, "id" | "version">[]): void {
    for (const { id, version } of rulings)
      if (version > this.confirmed.version) this.owed.set(version, id);
  }

  /** Whether the log has acknowledged more than has been read back of it. */
  get unread(): boolean {
    return this.owed.size > 0;
  }

  /** Folds one's own row without reading it back, if it is the next one and nothing speaks against the log. */
  take(row: ValidationRow & Pick<Ruled, "id" | "hash">): AcceptedEdit[] | null {
    if (this.inDoubt || row.version !== this.confirmed.version + 1) return null;
    try {
      const accepted = this.confirmed.integrate(row);
      this.pass(row);
      return accepted;
    } catch (error) {
      if (error instanceof UnknownOwner) return null;
      throw error;
    }
  }

  private async readOn(): Promise<LogReading> {
    // A doubt that comes up while the answer is on its way is not settled by it.
    const { inDoubt } = this;
    const isFirst = this.head === null;
    const asked = this.doubts;
    const owed = new Map(this.owed);
    if (!inDoubt) this.trail = this.head ? [this.head] : [];
    const [first] = this.trail;
    const rows = await this.ask(inDoubt && first ? first.version - 1 : this.confirmed.version);
    if (!inDoubt) this.settled = asked;
    else if (this.confirms(rows)) {
      this.trail = this.trail.slice(-1);
      this.settled = asked;
    }
    // Who may not read is told nothing; only another log, or a shorter one, has not got that row.
    else if (rows.length > 0 || (await this.ask(0, 1)).length > 0) return this.readAnew();
    // A log that was replaced by an older copy may hold the head, and not what it has acknowledged since.
    if (this.lacks(rows, owed) && (rows.length > 0 || (await this.ask(0, 1)).length > 0))
      return this.readAnew();
    const reading: LogReading = { rows: [], accepted: [], refolded: false, stateBefore: null };
    const { refolds } = this.confirmed;
    const slices = this.shown && new TimeSlices(this.shown.clock);
    // One reading after the last redaction sees what all of them have left.
    const lastRedaction = rows.findLast(({ update }) => update && bringsTombstone(update));
    try {
      for (const row of rows) {
        // One's own ruling may have been folded while the answer was on its way.
        if (row.version <= this.confirmed.version) continue;
        // What stands in the log now in the place of the redacted is what the page shows from here on. It is read
        // before the redaction is passed: where that fails, the next reading comes to it again.
        const withoutRedacted = row === lastRedaction ? await this.rows(0, row.version) : null;
        const accepted = await this.fold(row);
        this.pass(row);
        reading.rows.push(row);
        reading.accepted.push(...accepted);
        if (withoutRedacted) this.confirmed.restart(withoutRedacted);
        // What takes long to fold takes longer still to show: keys and drawing come in between.
        await slices?.yieldIfDue(structsOf(accepted));
      }
    } catch (fault) {
      // The next reading goes on behind what was folded, which the page would never be shown.
      reading.refolded = this.confirmed.refolds > refolds;
      if (reading.rows.length > 0) await this.shown?.page.take(reading);
      throw fault;
    }
    // All of one answer is of one log: where nothing was known before, its last row speaks for it.
    if (isFirst) this.trail = this.trail.slice(-1);
    reading.refolded = this.confirmed.refolds > refolds;
    return reading;
  }

  private async ask(after: number, max?: number): Promise<Ruled[]> {
    try {
      return await this.rows(after, max);
    } catch (fault) {
      // Whatever keeps the server from answering may be somebody who puts a backup back.
      this.doubt();
      throw fault;
    }
  }

  /** The rows behind a version, of which none may be missing: an answer that lacks one is none. */
  private async rows(after: number, max?: number): Promise<Ruled[]> {
    const rows = await this.store.read(this.stream, after, max);
    const gap = rows.find(({ version }, at) => version !== after + 1 + at);
    if (gap) throw new StoreFault(`version ${gap.version} of the log follows a gap`, 0);
    return rows;
  }

  private async readAnew(): Promise<LogReading> {
    const asked = this.doubts;
    const owed = [...this.owed.keys()];
    const rows = await this.ask(0);
    const { state } = this.confirmed.state();
    this.confirmed.restart(rows);
    this.recent.clear();
    this.head = null;
    this.trail = [];
    this.settled = asked;
    // What was acknowledged is in these rows, or not in the log any more.
    for (const version of owed) this.owed.delete(version);
    for (const row of rows) this.pass(row);
    return { rows, accepted: [], refolded: true, stateBefore: state };
  }

  /** Whether the rows that follow what was read lack an event that the log had acknowledged before they were asked for. */
  private lacks(rows: readonly Ruled[], owed: ReadonlyMap<number, string>): boolean {
    const held = new Map(rows.map(({ version, id }) => [version, id]));
    return [...owed].some(
      ([version, id]) => version > this.confirmed.version && held.get(version) !== id,
    );
  }

  /** Whether rows of the log hold all that is in question, and gives the head its hash where that was not known. */
  private confirms(rows: readonly Ruled[]): boolean {
    const hashes = new Map(rows.map(({ version, hash }) => [version, hash]));
    for (const head of this.trail) {
      const hash = hashes.get(head.version);
      if (hash === undefined || hash !== (head.hash ?? hash)) return false;
      head.hash = hash;
    }
    return true;
  }

  private pass({ id, version, hash }: Pick<Ruled, "id" | "version" | "hash">): void {
    this.head = { version, hash };
    this.trail.push(this.head);
    this.owed.delete(version);
    this.recent.add(id);
    const [oldest] = this.recent;
    if (this.recent.size > rememberedRows && oldest !== undefined) this.recent.delete(oldest);
  }

  private async fold(row: Ruled): Promise<AcceptedEdit[]> {
    try {
      return this.confirmed.integrate(row);
    } catch (error) {
      if (!(error instanceof UnknownOwner)) throw error;
      this.confirmed.learn(await this.rows(0, this.initial?.version ?? 0));
      return this.fold(row);
    }
  }
}
