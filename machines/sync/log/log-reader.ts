import type { InspectedEdit, ValidationRow } from "@/events/crdt/validation/validation";
import { ConfirmedDocument, UnknownOwner } from "@/events/crdt/validation/confirmed-document";
import type { AcceptedEdit } from "@/events/crdt/validation/confirmed-document";
import type {
  DocumentState,
  StateParts,
  WholeState,
} from "@/events/crdt/validation/document-state";
import type { Clock } from "@/events/core/clock";
import type { Ruled } from "@/events/core/envelope";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import type { LogReading } from "../channel/reading";
import { TimeSlices } from "../channel/time-slices";
import { bringsTombstone } from "@/events/crdt/payload/tombstone-payload";

/** The last row that was folded. `hash` is null while it is unknown. */
type Head = { version: number; hash: string | null };

/** The page receives each read before the next one starts. `clock` paces the turns in between. */
type Shown = { page: { take(reading: LogReading): void | Promise<void> }; clock: Clock };

/** The number of recent row ids that are remembered to recognise late notices. */
const rememberedRows = 1_000;

function structsOf(edits: readonly AcceptedEdit[]): number {
  return edits.reduce((sum, { inspected }) => sum + inspected.structs.length, 1);
}

/**
 * The fourth stage of a keystroke. Keeps the confirmed document at the head of its log, even after
 * an older backup replaced the log, and passes each read on to the page.
 */
export class LogReader {
  readonly confirmed: ConfirmedDocument;
  private readonly stream: string;
  private readonly store: Pick<Store, "read">;
  private readonly initial: DocumentState | null;
  private readonly recent = new Set<string>();
  private head: Head | null;
  /**
   * The rows that a doubt calls into question: the head found by the last read, and every row
   * folded since, in order. A log can be replaced before this page is notified, and the other log
   * may already have answered the same read.
   */
  private trail: Head[];
  /** The number of doubts raised, and the number settled by a read that started later. */
  private doubts: number;
  private settled = 0;
  private tail: Promise<unknown> = Promise.resolve();
  private readonly shown: Shown | null;
  /** Ids by version of events that the log has acknowledged and this page has not read yet. */
  private readonly owed = new Map<number, string>();

  /** `confirmed` starts from `initial`. On a server `shown` is null: no page shows the reads. */
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

  /** Returns the state of the log up to the head, with the hash of the head if known. */
  state(): WholeState {
    const hash = this.head?.hash;
    return { ...this.confirmed.state(), ...(hash && { hash }) };
  }

  /** Returns the same state in parts, without encoding it, or null if there are too many parts. */
  parts(): StateParts | null {
    const hash = this.head?.hash;
    const parts = this.confirmed.parts();
    return parts && { ...parts, ...(hash && { hash }) };
  }

  /**
   * Makes the next read check that the log still holds the rows read so far, because the connection
   * was lost or the log contradicts itself.
   */
  doubt(): void {
    this.doubts += 1;
  }

  /** Whether the next read will check the rows read so far. */
  get inDoubt(): boolean {
    return this.trail.length > 0 && this.doubts > this.settled;
  }

  /** Whether all of these ids are among the most recently folded rows. */
  knows(ids: readonly string[]): boolean {
    return ids.every((id) => this.recent.has(id));
  }

  /** Reads on from the last folded row. Reads run in sequence and never overlap. */
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

  /** Records events that the log has acknowledged. Some of them may still have to be read. */
  acknowledged(rulings: readonly Pick<Ruled, "id" | "version">[]): void {
    for (const { id, version } of rulings)
      if (version > this.confirmed.version) this.owed.set(version, id);
  }

  /** Whether the log has acknowledged events that are not read back yet. */
  get unread(): boolean {
    return this.owed.size > 0;
  }

  /**
   * Folds one of this tab's own rows, which holds the edits `own`, without reading it back. Returns
   * null if the row is not the next one or the log is in doubt.
   */
  take(
    row: ValidationRow & Pick<Ruled, "id" | "hash">,
    own: readonly InspectedEdit[],
  ): AcceptedEdit[] | null {
    if (this.inDoubt || row.version !== this.confirmed.version + 1) return null;
    try {
      const accepted = this.confirmed.integrate(row, own);
      this.pass(row);
      return accepted;
    } catch (error) {
      if (error instanceof UnknownOwner) return null;
      throw error;
    }
  }

  private async readOn(): Promise<LogReading> {
    // The answer does not settle a doubt that is raised while the answer is in transit.
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
    // A reader without access receives no rows. Only a different or a shorter log lacks the head.
    else if (rows.length > 0 || (await this.ask(0, 1)).length > 0) return this.readAnew();
    // A log replaced by an older copy may hold the head but lack events acknowledged since.
    if (this.lacks(rows, owed) && (rows.length > 0 || (await this.ask(0, 1)).length > 0))
      return this.readAnew();
    const reading: LogReading = { rows: [], accepted: [], refolded: false, stateBefore: null };
    const { refolds } = this.confirmed;
    const slices = this.shown && new TimeSlices(this.shown.clock);
    // One read at the last redaction covers all redactions before it.
    const lastRedaction = rows.findLast(({ update }) => update && bringsTombstone(update));
    try {
      for (const row of rows) {
        // This tab's own row may have been folded while the answer was in transit.
        if (row.version <= this.confirmed.version) continue;
        // The page continues from the rows that the log now holds in place of the redacted events.
        // These rows are read before the redaction counts as passed, so that after a failure the
        // next read reaches it again.
        const withoutRedacted = row === lastRedaction ? await this.rows(0, row.version) : null;
        const accepted = await this.fold(row);
        this.pass(row);
        reading.rows.push(row);
        reading.accepted.push(...accepted);
        if (withoutRedacted) this.confirmed.restart(withoutRedacted);
        // Rows that are slow to fold are slower to show, so input and painting run in between.
        await slices?.yieldIfDue(structsOf(accepted));
      }
    } catch (fault) {
      // The next read continues after the folded rows, so the page must receive these rows now.
      reading.refolded = this.confirmed.refolds > refolds;
      if (reading.rows.length > 0) await this.shown?.page.take(reading);
      throw fault;
    }
    // All rows of one answer belong to one log. If nothing was known before, the last row
    // identifies that log.
    if (isFirst) this.trail = this.trail.slice(-1);
    reading.refolded = this.confirmed.refolds > refolds;
    return reading;
  }

  private async ask(after: number, max?: number): Promise<Ruled[]> {
    try {
      return await this.rows(after, max);
    } catch (fault) {
      // The server may be failing because a backup is being restored.
      this.doubt();
      throw fault;
    }
  }

  /** Returns the rows after a version. Throws StoreFault if the answer has a gap. */
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
    // Acknowledged events are in these rows, or the log no longer has them.
    for (const version of owed) this.owed.delete(version);
    for (const row of rows) this.pass(row);
    return { rows, accepted: [], refolded: true, stateBefore: state };
  }

  /** Whether these rows lack an event that the log had acknowledged before the request. */
  private lacks(rows: readonly Ruled[], owed: ReadonlyMap<number, string>): boolean {
    const held = new Map(rows.map(({ version, id }) => [version, id]));
    return [...owed].some(
      ([version, id]) => version > this.confirmed.version && held.get(version) !== id,
    );
  }

  /** Whether the rows include all rows in question. Sets the head's hash if it was unknown. */
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
