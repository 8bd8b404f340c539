import { appendAll } from "@/events/core/append-all";
import * as Y from "yjs";
import {
  accept,
  bindClients,
  type ValidationRow,
  type Accepted,
  type ValidatedEdit,
  type Bindings,
  type Anomaly,
} from "./validation";
import { containersOf } from "./containers";
import {
  applyState,
  emptyState,
  type DocumentState,
  type StateParts,
  type WholeState,
} from "./document-state";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { structAt } from "@/events/crdt/updates/struct-at";
import { type Range } from "@/events/crdt/updates/yjs-update";

/** One edit of the log which every honest reader takes in. */
export type AcceptedEdit = ValidatedEdit & { actorId: string; version: number };

/** A row that was folded, and the updates that were accepted of it; null where they are not kept. */
type FoldedRow = { row: ValidationRow; updates: Uint8Array[] | null };

/** With more updates than this, parts take longer to hand over than the state takes to encode. */
const mostUpdates = 10_000;

/** Thrown when rows do not continue the log where the fold stands. */
class LogGap extends Error {
  override name = "LogGap";
}

/** Thrown when a client id is used that was bound before the snapshot, whose bindings nobody has told yet. */
export class UnknownOwner extends Error {
  override name = "UnknownOwner";
}

/**
 * The document as the log tells it, and nothing else. What `accept` passes over never reaches it, so it has nothing
 * pending at any version, and every reader comes to the same text. Of an event that breaks it in spite of all checks it
 * takes what comes before the break; `doc` is another object then.
 */
export class ConfirmedDocument {
  doc: Y.Doc;
  /** How many times the document had to be folded anew. */
  refolds = 0;
  readonly anomalies: Anomaly[] = [];
  private readonly bindings: Bindings;
  /** What the rows in `since` continue: the way back from a document that broke. */
  private base: DocumentState | null;
  private since: FoldedRow[] = [];
  /** How many updates `since` has, kept or not. */
  private updates = 0;
  private reached: number;
  private allLearned: boolean;
  private readonly keepsUpdates: boolean;

  /** With `keepsUpdates` it has parts, which a fold that nobody asks for them need not hold. */
  constructor(from: DocumentState | null, { keepsUpdates = false } = {}) {
    this.keepsUpdates = keepsUpdates;
    this.reached = from?.version ?? 0;
    this.allLearned = !from || from.owners !== undefined;
    this.base = from;
    this.doc = this.begun();
    this.bindings = {
      owners: new Map(from?.owners),
      reached: clocksOf(this.doc),
      containers: containersOf(() => this.doc),
    };
  }

  get version(): number {
    return this.reached;
  }

  /** What the log holds up to here, to begin a fold from. */
  state(): WholeState {
    const state = Y.encodeStateAsUpdate(this.doc);
    // Its parts are few again.
    if (this.keepsUpdates) this.begin({ version: this.reached, state });
    return { version: this.reached, state, ...this.knownOwners() };
  }

  /**
   * The same in parts, for which nothing is encoded: what the fold would go back to, and what it has
   * accepted since; null where that is not kept, or too many updates.
   */
  parts(): StateParts | null {
    const since = [...(this.base?.since ?? [])];
    for (const { updates } of this.since) {
      if (updates === null) return null;
      appendAll(since, updates);
    }
    return {
      version: this.reached,
      state: this.base?.state ?? emptyState,
      since,
      refolds: this.refolds,
      ...this.knownOwners(),
    };
  }

  /**
   * Goes back, from now on, to the state that parts of this fold were joined to; false where it was
   * folded anew since it gave them away, and they may hold what is not to be shown any more.
   */
  rebase(
    { version, refolds }: Pick<StateParts, "version" | "refolds">,
    state: Uint8Array,
  ): boolean {
    if (refolds !== this.refolds) return false;
    if (version > (this.base?.version ?? 0)) {
      const later = this.since.filter(({ row }) => row.version > version);
      this.begin({ version, state });
      for (const folded of later) this.keep(folded);
    }
    return true;
  }

  /** The person a Yjs client id is bound to. */
  ownerOf(client: number): string | null {
    return this.bindings.owners.get(client) ?? null;
  }

  /** The first clock of a client that the log does not hold. */
  clockOf(client: number): number {
    return this.bindings.reached.get(client) ?? 0;
  }

  /** Whether the log holds every part of these ranges. */
  holds(ranges: Range[]): boolean {
    return ranges.every(({ client, clock, length }) => clock + length <= this.clockOf(client));
  }

  /** Whether the log says that all of these ranges are deleted. */
  deleted(ranges: Range[]): boolean {
    return ranges.every(({ client, clock, length }) => {
      for (let at = clock; at < clock + length;) {
        const struct = structAt(this.doc, client, at);
        if (!struct?.deleted) return false;
        at = struct.id.clock + struct.length;
      }
      return true;
    });
  }

  /** Learns the bindings of client ids from all rows that the fold has behind it. */
  learn(rows: Pick<ValidationRow, "actorId" | "clientIds" | "update">[]): void {
    for (const row of rows) bindClients(row, this.bindings.owners);
    this.allLearned = true;
  }

  /**
   * Folds the log anew from its first event, because what it held before is not to be shown any
   * more; `doc` is another object then.
   */
  restart(rows: Iterable<ValidationRow>): void {
    this.doc.destroy();
    this.begin(null);
    this.reached = 0;
    this.anomalies.length = 0;
    this.bindings.owners.clear();
    this.bindings.reached = new Map();
    this.allLearned = true;
    this.refolds += 1;
    this.doc = this.begun();
    for (const row of rows) this.integrate(row);
    this.begin({ version: this.reached, state: Y.encodeStateAsUpdate(this.doc) });
  }

  /** Folds the next row and answers the edits that were taken in. */
  integrate(row: ValidationRow): AcceptedEdit[] {
    if (row.version !== this.reached + 1)
      throw new LogGap(`version ${row.version} does not follow ${this.reached}`);
    const { edits, anomalies } = accept(row, this.bindings);
    if (!this.allLearned && anomalies.some(({ reason }) => reason === "foreign-client"))
      throw new UnknownOwner(`at version ${row.version}`);
    appendAll(this.anomalies, anomalies);
    const accepted = this.unbroken(edits, row);
    this.keep({ row, updates: this.keepsUpdates ? accepted.map(({ update }) => update) : null });
    this.reached = row.version;
    return accepted.map((edit) => ({ ...edit, actorId: row.actorId, version: row.version }));
  }

  /** Folds the next row and answers what was taken in of it and what was not. */
  accept(row: ValidationRow): Accepted {
    const before = this.anomalies.length;
    const edits = this.integrate(row);
    return { edits, anomalies: this.anomalies.slice(before) };
  }

  /**
   * Applies a row's edits in one transaction, for each costs as much as there are writers; or only
   * those before the one that breaks the document.
   */
  private unbroken(edits: ValidatedEdit[], row: ValidationRow): ValidatedEdit[] {
    let at = 0;
    try {
      this.doc.transact(() => {
        for (const edit of edits) {
          at = edit.index;
          apply(this.doc, edit);
        }
      });
      return edits;
    } catch {
      // Whatever Yjs throws at it, then or when it tidies up behind it.
      this.goBack();
      const end = edits.findIndex(({ index }) => index === at);
      for (const { index } of edits.slice(end))
        this.anomalies.push({
          version: row.version,
          index,
          actorId: row.actorId,
          reason: "malformed",
        });
      const intact = this.unbroken(edits.slice(0, end), row);
      this.bindings.reached = clocksOf(this.doc);
      return intact;
    }
  }

  /**
   * Makes the document anew as it was before the row that broke it, and keeps that state, so that
   * the next time is quick.
   */
  private goBack(): void {
    const doc = this.begun();
    const bindings: Bindings = {
      owners: new Map(this.bindings.owners),
      reached: clocksOf(doc),
      containers: containersOf(() => doc),
    };
    const rejected = new Set(
      this.anomalies.flatMap(({ version, index, reason }) =>
        reason === "unsupported" ? [] : `${version}:${index}`,
      ),
    );
    for (const { row } of this.since) {
      for (const edit of accept(row, bindings).edits)
        if (!rejected.has(`${row.version}:${edit.index}`)) apply(doc, edit);
    }
    this.begin({ version: this.reached, state: Y.encodeStateAsUpdate(doc) });
    this.refolds += 1;
    this.doc.destroy();
    this.doc = doc;
  }

  /** Goes back to this from now on. */
  private begin(base: DocumentState | null): void {
    this.base = base;
    this.since = [];
    this.updates = 0;
  }

  private keep(folded: FoldedRow): void {
    this.since.push(folded);
    this.updates += folded.updates?.length ?? 0;
    // Where there are too many none is needed.
    if (this.updates > mostUpdates) for (const each of this.since) each.updates = null;
  }

  private knownOwners(): Pick<DocumentState, "owners"> {
    return this.allLearned ? { owners: [...this.bindings.owners] } : {};
  }

  private begun(): Y.Doc {
    const doc = new Y.Doc();
    disableFormattingCleanup(doc);
    if (this.base) applyState(doc, this.base);
    return doc;
  }
}

function clocksOf(doc: Y.Doc): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(doc));
}

function apply(doc: Y.Doc, { update }: ValidatedEdit): void {
  Y.applyUpdate(doc, update);
  const { pendingStructs, pendingDs } = doc.store;
  if (pendingStructs || pendingDs) throw new Error("It hangs on itself.");
}
