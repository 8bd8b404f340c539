import { appendAll } from "@/events/core/append-all";
import * as Y from "yjs";
import { accept, bindClients } from "./validation";
import type {
  InspectedEdit,
  ValidationRow,
  Accepted,
  ValidatedEdit,
  Bindings,
  Anomaly,
} from "./validation";
import { containersOf } from "./containers";
import { applyState, emptyState } from "./document-state";
import type { DocumentState, StateParts, WholeState } from "./document-state";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { structAt } from "@/events/crdt/updates/struct-at";
import type { Range } from "@/events/crdt/updates/yjs-update";

/** An edit of the log that every honest reader accepts. */
export type AcceptedEdit = ValidatedEdit & { actorId: string; version: number };

/** A folded row and its accepted updates. `updates` is null if they are not kept. */
type FoldedRow = { row: ValidationRow; updates: Uint8Array[] | null };

/** Beyond this number of updates, returning parts takes longer than encoding the state. */
const mostUpdates = 10_000;

/** Thrown when a row does not follow the fold's version. */
class LogGap extends Error {
  override name = "LogGap";
}

/**
 * Thrown when an edit uses a client id that was bound before the snapshot, and the fold does not
 * know those bindings yet.
 */
export class UnknownOwner extends Error {
  override name = "UnknownOwner";
}

/**
 * The document folded from the log alone. Edits that `accept` rejects are never applied to it. It
 * therefore has nothing pending at any version, and every reader gets the same text. If an event
 * breaks the document despite all checks, only the edits before the break are applied, and `doc`
 * becomes another object.
 */
export class ConfirmedDocument {
  doc: Y.Doc;
  /** The number of times that the document was rebuilt. */
  refolds = 0;
  readonly anomalies: Anomaly[] = [];
  private readonly bindings: Bindings;
  /** The state that the rows in `since` continue. A broken document is rebuilt from it. */
  private base: DocumentState | null;
  private since: FoldedRow[] = [];
  /** The number of updates in `since`, whether kept or not. */
  private updates = 0;
  private reached: number;
  private allLearned: boolean;
  private readonly keepsUpdates: boolean;

  /** Only a fold with `keepsUpdates` can return parts. Other folds save the memory. */
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

  /** Returns the state up to this version, as a base for another fold. */
  state(): WholeState {
    const state = Y.encodeStateAsUpdate(this.doc);
    // Makes the new state the base, so that the number of updates since is 0 again.
    if (this.keepsUpdates) this.begin({ version: this.reached, state });
    return { version: this.reached, state, ...this.knownOwners() };
  }

  /**
   * Returns the state in parts without encoding it: the base and the updates accepted since. Null
   * if the updates are not kept or are too many.
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
   * Replaces the base by the joined state of parts that this fold returned. Returns false if the
   * document was rebuilt since then, because the parts may hold content that must no longer be
   * displayed.
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

  /** Returns the owner that a Yjs client id is bound to (see `Bindings`), or null. */
  ownerOf(client: number): string | null {
    return this.bindings.owners.get(client) ?? null;
  }

  /** Returns the first clock of a client that the log does not hold. */
  clockOf(client: number): number {
    return this.bindings.reached.get(client) ?? 0;
  }

  /** Whether the log holds all clocks of these ranges. */
  holds(ranges: Range[]): boolean {
    return ranges.every(({ client, clock, length }) => clock + length <= this.clockOf(client));
  }

  /** Whether all of these ranges are deleted in the log. */
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

  /** Records the client id bindings of all rows before the fold's version. */
  learn(rows: Pick<ValidationRow, "actorId" | "clientIds" | "update">[]): void {
    for (const row of rows) bindClients(row, this.bindings.owners);
    this.allLearned = true;
  }

  /**
   * Rebuilds the document from the log's first event, because its previous content must no longer
   * be displayed. `doc` becomes another object.
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

  /** Folds the next row and returns its accepted edits. `own` is passed to `accept`. */
  integrate(row: ValidationRow, own: readonly InspectedEdit[] = []): AcceptedEdit[] {
    if (row.version !== this.reached + 1)
      throw new LogGap(`version ${row.version} does not follow ${this.reached}`);
    const { edits, anomalies } = accept(row, this.bindings, own);
    if (!this.allLearned && anomalies.some(({ reason }) => reason === "foreign-client"))
      throw new UnknownOwner(`at version ${row.version}`);
    appendAll(this.anomalies, anomalies);
    const accepted = this.unbroken(edits, row);
    this.keep({ row, updates: this.keepsUpdates ? accepted.map(({ update }) => update) : null });
    this.reached = row.version;
    return accepted.map((edit) => ({ ...edit, actorId: row.actorId, version: row.version }));
  }

  /** Folds the next row and returns its accepted edits and its anomalies. */
  accept(row: ValidationRow): Accepted {
    const before = this.anomalies.length;
    const edits = this.integrate(row);
    return { edits, anomalies: this.anomalies.slice(before) };
  }

  /**
   * Applies a row's edits in one transaction, because the cost of a transaction grows with the
   * number of writers. If an edit breaks the document, only the edits before it are applied.
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
      // Yjs may throw any error, while applying an update or during its cleanup.
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
   * Rebuilds the document as it was before the row that broke it. The rebuilt state becomes the
   * base, so that the next rebuild is quick.
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

  /** Makes this state the base. */
  private begin(base: DocumentState | null): void {
    this.base = base;
    this.since = [];
    this.updates = 0;
  }

  private keep(folded: FoldedRow): void {
    this.since.push(folded);
    this.updates += folded.updates?.length ?? 0;
    // Beyond the limit, `parts` returns null, so no update needs to be kept.
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
  if (pendingStructs || pendingDs) throw new Error("Circular dependency in update");
}
