import { appendBytes } from "@/events/log/append-size";
import type { Clock } from "@/events/core/clock";
import { newestSchema } from "@/events/content/text-schema";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { Proposal, Ruling } from "@/events/core/envelope";
import { StoreFault } from "@/events/log/store";
import type { Appended, Store } from "@/events/log/store";
import type { EditBatch } from "../device/edit-batch";
import type { LogReader } from "./log-reader";
import type { Whereabouts } from "../channel/document-channel";
import { MissingAuthors } from "../channel/missing-authors";
import type { Rebase } from "./page-rebuilds";
import type { Access, SendOutcome } from "../status/sync-events";
import { TimeSlices } from "../channel/time-slices";

/** The writer's interface to the pending edits. */
export type WritableEdits = {
  /** The number of edits that the log has not acknowledged. `unacknowledged` lists them. */
  readonly count: number;
  readonly unacknowledged: readonly PendingEdit[];
  readonly batches: readonly EditBatch[];
  /** Builds batches, in one turn, of edits that depend on the log and on batches already built. */
  buildAtOnce(mostBytes: number): void;
  /** Builds batches of edits that depend on the log alone. Returns the edits that have to wait. */
  buildBatches(yieldIfDue: (edits: number) => Promise<unknown>): Promise<PendingEdit[]>;
  /** Whether another batch could be built now. */
  readonly mayGoOn: boolean;
  /** Resolves when the device has stored or refused the edits. */
  stored(): Promise<void>;
  /** Returns the batches for the next append. */
  nextBatches(mostBytes: number): EditBatch[];
  owns(id: string): boolean;
  acknowledge(id: string): EditBatch | null;
  /** Moves edits of a batch back to the waiting ones. Returns them with their new keys. */
  putBack(edits: readonly PendingEdit[]): PendingEdit[];
};

type Input = {
  documentId: string;
  userId: string;
  store: Pick<Store, "append" | "appendAtOnce">;
  clock: Clock;
  access(): Access;
  /** Whether this page can read the log at present. */
  inContact(): boolean;
  /** Whether the author of this client id is on the document's channel. */
  whereabouts(client: number): Whereabouts;
  /** Rebases edits that cannot be written as they are. */
  rebase: Rebase;
  /** Called when the unsaved edits or the log's state have changed. */
  changed(): void;
};

/**
 * The maximum of consecutive rebases for one reason: another person bound the client id first, or
 * readers of the log reject the edits.
 */
const mostNewIds = 8;

/** The bytes of updates that safely fit into a keep-alive request. */
const atOnceBytes = 40_000;

/**
 * The third stage of a keystroke. Appends pending edits to the log in batches, in order, each batch
 * once the log holds its dependencies.
 */
export class LogWriter {
  private readonly input: Input;
  private readonly next: Pick<
    LogReader,
    "confirmed" | "read" | "take" | "doubt" | "inDoubt" | "acknowledged" | "unread"
  >;
  private readonly missing: MissingAuthors;
  private newIds = 0;
  private rejections = 0;
  private batchBytes = appendBytes;
  private atOnce: { ids: string; answer: Promise<Appended> } | null = null;

  constructor(input: Input, next: LogReader) {
    this.input = input;
    this.next = next;
    this.missing = new MissingAuthors({
      ...input,
      clockOf: (client) => next.confirmed.clockOf(client),
    });
  }

  /**
   * Restarts the wait for missing dependencies. Others may have been unable to send while this page
   * was away, or this page may have missed their notices.
   */
  waitAnew(): void {
    this.missing.forget();
  }

  /**
   * Sends synchronously the edits that may be sent: a hidden page has no later turn if it is
   * closed. The machine still runs its own `write`, which receives the rulings (acknowledgements).
   */
  writeAtOnce(edits: WritableEdits): void {
    const { access, documentId, rebase, store, userId } = this.input;
    if (edits.count === 0 || rebase.active || access() !== "write" || this.next.inDoubt) return;
    edits.buildAtOnce(atOnceBytes);
    const proposals = edits.nextBatches(atOnceBytes).map(({ proposal }) => proposal);
    if (proposals.length === 0) return;
    const answer = store.appendAtOnce?.(documentId, proposals, userId) ?? null;
    if (answer === null) return;
    // On failure, the `write` that waits for this answer appends again.
    answer.catch(() => undefined);
    this.atOnce = { ids: idsOf(proposals), answer };
  }

  /** Writes at most one append and returns its outcome. Throws on faults. */
  async write(edits: WritableEdits): Promise<SendOutcome> {
    const { rebase } = this.input;
    // The original edits must not be sent during a rebase. `done` triggers the next send.
    if (rebase.active) return { kind: "waiting" };
    if (this.input.access() !== "write")
      return { kind: "refused", refusal: { name: "not-permitted", detail: "" } };
    await this.readAcknowledged();
    // A log that returns no rows to this person settles no doubt. Only an append shows whether the
    // log exists.
    const { inDoubt } = this.next;
    if (edits.batches.length === 0) {
      const slices = new TimeSlices(this.input.clock);
      const before = edits.count;
      const waiting = await edits.buildBatches((built) => slices.yieldIfDue(built));
      // Edits that a closed tab sent in its last turn are dropped and not sent again.
      if (edits.count < before) this.input.changed();
      if (rebase.active) return { kind: "waiting" };
      if (waiting.length === 0) this.missing.forget();
      if (edits.batches.length === 0)
        return waiting.length === 0 ? { kind: "empty" } : this.waitOrRebase(edits, waiting);
    }
    await edits.stored();
    // Batches are built for the log as it was read, but the log may have been replaced meanwhile.
    if ((this.next.inDoubt && !inDoubt) || rebase.active) return { kind: "more" };
    const batches = edits.nextBatches(this.batchBytes);
    const answer = await this.append(batches.map(({ proposal }) => proposal));
    if (answer === "signed-out") return { kind: "signed-out" };
    if (answer === "too-long") return { kind: "more" };
    if (!answer.ok) {
      // The edits stay on the device for their author, who may sign in again.
      if (answer.refusal.reason === "other-account") return { kind: "signed-out" };
      if (answer.refusal.reason === "client-id-taken" && this.newIds < mostNewIds) {
        // Another person bound this tab's client id first. Rebases all edits under a new id, before
        // another person binds that one too.
        this.newIds += 1;
        rebase.ask({ reason: "client-id-taken", again: edits.unacknowledged });
        await rebase.settled();
        return this.write(edits);
      }
      return { kind: "refused", refusal: answer.refusal };
    }
    this.newIds = 0;
    await this.acknowledged(edits, answer.rulings);
    if (this.rejections > mostNewIds) {
      // Readers of the log reject the edits even after rebases, so their author must be notified.
      this.rejections = 0;
      return { kind: "refused", refusal: { name: "invalid-event", detail: "" } };
    }
    return { kind: edits.count > 0 ? "more" : "empty" };
  }

  private async append(proposals: Proposal[]) {
    try {
      return await (this.sentAtOnce(proposals) ?? this.appendAnew(proposals));
    } catch (error) {
      // A refusal by a proxy does not show that the session has ended.
      if (error instanceof StoreFault && !error.foreign && [401, 403].includes(error.status))
        return "signed-out";
      if (error instanceof StoreFault && error.status === 413 && proposals.length > 1) {
        // A proxy or gateway in between accepts less than the embedded backend does.
        this.batchBytes /= 2;
        return "too-long";
      }
      this.next.doubt();
      throw error;
    }
  }

  private appendAnew(proposals: Proposal[]): Promise<Appended> {
    const { store, documentId, userId } = this.input;
    return store.append(documentId, null, proposals, userId);
  }

  /** Returns the answer to the same events if their request is already in transit. */
  private sentAtOnce(proposals: Proposal[]): Promise<Appended> | null {
    const { atOnce } = this;
    this.atOnce = null;
    return atOnce?.ids === idsOf(proposals)
      ? atOnce.answer.catch(() => this.appendAnew(proposals))
      : null;
  }

  private async acknowledged(
    edits: WritableEdits,
    rulings: Pick<Ruling, "id" | "version" | "hash">[],
  ): Promise<void> {
    const { next } = this;
    if (rulings.some(({ id, version }) => version <= next.confirmed.version && edits.owns(id))) {
      // This version was already read. The log had the event before, or is shorter than the rows
      // read of it.
      next.doubt();
      await next.read();
    }
    const rejected: PendingEdit[] = [];
    for (const ruling of rulings) {
      const batch = edits.acknowledge(ruling.id);
      if (batch) rejected.push(...this.handOn(batch, ruling));
    }
    next.acknowledged(rulings);
    this.rejections = rejected.length === 0 ? 0 : this.rejections + 1;
    if (rejected.length > 0)
      this.input.rebase.ask({ reason: "rejected", again: edits.putBack(rejected) });
    this.input.changed();
    await this.readAcknowledged();
  }

  /**
   * Passes an acknowledged batch to the reader, so that it need not be read back. Returns the edits
   * that readers reject.
   */
  private handOn(
    { proposal, edits }: EditBatch,
    { id, version, hash }: Pick<Ruling, "id" | "version" | "hash">,
  ): PendingEdit[] {
    const row = {
      id,
      hash,
      version,
      actorId: this.input.userId,
      clientIds: proposal.clientIds ?? [],
      clientTime: proposal.clientTime ?? "",
      schema: proposal.schema ?? newestSchema,
      update: proposal.update ?? null,
    };
    const accepted = this.next.take(row, edits);
    if (!accepted || accepted.length === edits.length) return [];
    const acceptedIndexes = new Set(accepted.map(({ index }) => index));
    return edits.filter((_edit, at) => !acceptedIndexes.has(at));
  }

  /**
   * Reads back the acknowledged events: "Saved" requires that the log, as every reader sees it,
   * shows the edits. No edit is sent to a log that may lack its dependencies.
   */
  private async readAcknowledged(): Promise<void> {
    if (!this.next.unread && !this.next.inDoubt) return;
    await this.next.read();
    this.input.changed();
  }

  /**
   * Waits for others' unlogged text. Once its authors count as gone, rebases the edits without it.
   */
  private async waitOrRebase(
    edits: WritableEdits,
    waiting: readonly PendingEdit[],
  ): Promise<SendOutcome> {
    const { confirmed } = this.next;
    if (!this.input.inContact()) this.missing.forget();
    else if (this.missing.due(waiting)) {
      const { version } = confirmed;
      // Text counts as missing only after a read has not found it.
      await this.next.read();
      if (confirmed.version > version && edits.mayGoOn) return { kind: "more" };
      const gone = this.missing.lookedFor(waiting);
      const [first] = waiting;
      if (gone.size > 0 && first) {
        this.missing.forget();
        this.input.rebase.ask({
          reason: "author-gone",
          waiting: first,
          forget: ({ inspected }) => inspected.structs.some(({ client }) => gone.has(client)),
        });
      }
    }
    return { kind: "waiting" };
  }
}

function idsOf(proposals: readonly Proposal[]): string {
  return proposals.map(({ id }) => id).join(" ");
}
