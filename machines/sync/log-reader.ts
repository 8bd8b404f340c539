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
import { type Store } from "@/events/log/store";
import { type LogReading } from "./reading";
import { TimeSlices } from "./time-slices";
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
  /** A row that the next reading looks at again before it goes on; null while nothing speaks against the log. */
  private doubted: Head | null;
  private tail: Promise<unknown> = Promise.resolve();
  private readonly shown: Shown | null;
  private acknowledgedVersion = 0;

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
    this.doubted = this.head;
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
    this.doubted ??= this.head;
  }

  /** Whether the next reading will look. */
  get inDoubt(): boolean {
    return this.doubted !== null;
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

  /** The log has acknowledged rows up to this version. */
  acknowledged(version: number): void {
    this.acknowledgedVersion = Math.max(this.acknowledgedVersion, version);
  }

  /** Whether the log has acknowledged more than has been read back of it. */
  get unread(): boolean {
    return this.acknowledgedVersion > this.confirmed.version;
  }

  /** Folds one's own row without reading it back, if it is the next one and nothing speaks against the log. */
  take(row: ValidationRow & Pick<Ruled, "id" | "hash">): AcceptedEdit[] | null {
    if (this.doubted || row.version !== this.confirmed.version + 1) return null;
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
    const { doubted } = this;
    const rows = await this.ask(doubted ? doubted.version - 1 : this.confirmed.version);
    if (
      doubted &&
      rows[0]?.version === doubted.version &&
      rows[0].hash === (doubted.hash ?? rows[0].hash)
    )
      this.believe(rows[0]);
    // Who may not read is told nothing; only another log, or a shorter one, has not got that row.
    else if (doubted && (rows.length > 0 || (await this.ask(0, 1)).length > 0))
      return this.readAnew();
    const reading: LogReading = { rows: [], accepted: [], refolded: false, stateBefore: null };
    const { refolds } = this.confirmed;
    const slices = this.shown && new TimeSlices(this.shown.clock);
    // One reading after the last redaction sees what all of them have left.
    const lastRedaction = rows.findLast(({ update }) => update && bringsTombstone(update));
    for (const row of rows) {
      // One's own ruling may have been folded while the answer was on its way.
      if (row.version <= this.confirmed.version) continue;
      const accepted = await this.fold(row);
      this.pass(row);
      reading.rows.push(row);
      reading.accepted.push(...accepted);
      // What stands in the log now in the place of the redacted is what the page shows from here on.
      if (row === lastRedaction)
        this.confirmed.restart(await this.store.read(this.stream, 0, row.version));
      // What takes long to fold takes longer still to show: keys and drawing come in between.
      await slices?.yieldIfDue(structsOf(accepted));
    }
    reading.refolded = this.confirmed.refolds > refolds;
    return reading;
  }

  private async ask(after: number, max?: number): Promise<Ruled[]> {
    try {
      return await this.store.read(this.stream, after, max);
    } catch (fault) {
      // Whatever keeps the server from answering may be somebody who puts a backup back.
      this.doubt();
      throw fault;
    }
  }

  private async readAnew(): Promise<LogReading> {
    const rows = await this.ask(0);
    const { state } = this.confirmed.state();
    this.confirmed.restart(rows);
    this.recent.clear();
    this.doubted = null;
    // What was acknowledged is not in the log any more.
    this.acknowledgedVersion = 0;
    for (const row of rows) this.pass(row);
    return { rows, accepted: [], refolded: true, stateBefore: state };
  }

  private believe({ version, hash }: Head): void {
    this.doubted = null;
    if (this.head?.version === version) this.head = { version, hash };
  }

  private pass({ id, version, hash }: Pick<Ruled, "id" | "version" | "hash">): void {
    this.head = { version, hash };
    this.recent.add(id);
    const [oldest] = this.recent;
    if (this.recent.size > rememberedRows && oldest !== undefined) this.recent.delete(oldest);
  }

  private async fold(row: Ruled): Promise<AcceptedEdit[]> {
    try {
      return this.confirmed.integrate(row);
    } catch (error) {
      if (!(error instanceof UnknownOwner)) throw error;
      this.confirmed.learn(await this.store.read(this.stream, 0, this.initial?.version ?? 0));
      return this.fold(row);
    }
  }
}
