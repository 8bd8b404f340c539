import { appendBytes } from "@/events/log/append-size";
import { type Clock } from "@/events/core/clock";
import { newestSchema } from "@/events/content/text-schema";
import { type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { type Proposal, type Ruling } from "@/events/core/envelope";
import { type Appended, StoreFault, type Store } from "@/events/log/store";
import { type EditBatch } from "../device/edit-batch";
import { type LogReader } from "./log-reader";
import { type Whereabouts } from "../channel/document-channel";
import { MissingAuthors } from "../channel/missing-authors";
import { type Rebase } from "./page-rebuilds";
import { type Access, type SendOutcome } from "../status/sync-events";
import { TimeSlices } from "../channel/time-slices";

/** What the writer asks of the edits that it is given to write. */
export type WritableEdits = {
  /** How many the log has not acknowledged, and those. */
  readonly count: number;
  readonly unacknowledged: readonly PendingEdit[];
  readonly batches: readonly EditBatch[];
  /** Builds batches, in one turn, of what depends on the log and on batches that are built. */
  buildAtOnce(mostBytes: number): void;
  /** Builds batches of what depends on the log alone; returns which edits had to stay. */
  buildBatches(yieldIfDue: (edits: number) => Promise<unknown>): Promise<PendingEdit[]>;
  /** Whether another batch could be built by now. */
  readonly mayGoOn: boolean;
  /** Resolves when the device has them, or has refused them. */
  stored(): Promise<void>;
  /** What goes into the next append. */
  nextBatches(mostBytes: number): EditBatch[];
  owns(id: string): boolean;
  acknowledge(id: string): EditBatch | null;
  /** Has edits of a batch wait again; returns them as they are called then. */
  putBack(edits: readonly PendingEdit[]): PendingEdit[];
};

type Input = {
  documentId: string;
  userId: string;
  store: Pick<Store, "append" | "appendAtOnce">;
  clock: Clock;
  access(): Access;
  /** Whether the log can be read at present. */
  inContact(): boolean;
  /** Whether those who write under this client id are on the document's channel. */
  whereabouts(client: number): Whereabouts;
  /** Makes edits again that cannot be written as they are. */
  rebase: Rebase;
  /** Hears that what is unsaved, or what the log holds, has changed. */
  changed(): void;
};

/**
 * How often in a row an edit is made again because somebody else had its client id bound first, or
 * readers of the log reject it.
 */
const mostNewIds = 8;

/** As many bytes of updates as surely fit into a request that outlives its page. */
const atOnceBytes = 40_000;

/**
 * The third stage of a keystroke: brings pending edits into the log, in batches, in order, and each
 * only when the log holds what it depends on.
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
   * Begins to wait anew for what edits depend on: others may have been unable to send for as long
   * as one was away, or one has not heard of it.
   */
  waitAnew(): void {
    this.missing.forget();
  }

  /**
   * Sends what may be sent in this very turn, which is a hidden page's last where it is closed. It
   * is written by the machine all the same, which hears the rulings.
   */
  writeAtOnce(edits: WritableEdits): void {
    const { access, documentId, rebase, store, userId } = this.input;
    if (edits.count === 0 || rebase.active || access() !== "write" || this.next.inDoubt) return;
    edits.buildAtOnce(atOnceBytes);
    const proposals = edits.nextBatches(atOnceBytes).map(({ proposal }) => proposal);
    if (proposals.length === 0) return;
    const answer = store.appendAtOnce?.(documentId, proposals, userId) ?? null;
    if (answer === null) return;
    // Whoever waits for it appends again where it failed.
    answer.catch(() => undefined);
    this.atOnce = { ids: idsOf(proposals), answer };
  }

  /** Writes what may be written, at most one append, and says what came of it; faults throw. */
  async write(edits: WritableEdits): Promise<SendOutcome> {
    const { rebase } = this.input;
    // What is being made again must not be sent as it was; who waits for it hears when it is done.
    if (rebase.active) return { kind: "waiting" };
    if (this.input.access() !== "write")
      return { kind: "refused", refusal: { name: "not-permitted", detail: "" } };
    await this.readAcknowledged();
    // A log that shows this person nothing settles no doubt: only an append tells whether it is there.
    const { inDoubt } = this.next;
    if (edits.batches.length === 0) {
      const slices = new TimeSlices(this.input.clock);
      const before = edits.count;
      const waiting = await edits.buildBatches((built) => slices.yieldIfDue(built));
      // What a closed tab has sent in its last turn is not sent again.
      if (edits.count < before) this.input.changed();
      if (rebase.active) return { kind: "waiting" };
      if (waiting.length === 0) this.missing.forget();
      if (edits.batches.length === 0)
        return waiting.length === 0 ? { kind: "empty" } : this.waitOrRebase(edits, waiting);
    }
    await edits.stored();
    // Batches are built for the log as it was read. Meanwhile that may be gone, and they with it.
    if ((this.next.inDoubt && !inDoubt) || rebase.active) return { kind: "more" };
    const batches = edits.nextBatches(this.batchBytes);
    const answer = await this.append(batches.map(({ proposal }) => proposal));
    if (answer === "signed-out") return { kind: "signed-out" };
    if (answer === "too-long") return { kind: "more" };
    if (!answer.ok) {
      // They are kept for the person who typed them, who may sign in again.
      if (answer.refusal.reason === "other-account") return { kind: "signed-out" };
      if (answer.refusal.reason === "client-id-taken" && this.newIds < mostNewIds) {
        // Somebody took this tab's client id first: the same again under a new one, before it can be taken as well.
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
      // Readers of the log take none of it in, however it is written: whoever wrote it has to be told.
      this.rejections = 0;
      return { kind: "refused", refusal: { name: "invalid-event", detail: "" } };
    }
    return { kind: edits.count > 0 ? "more" : "empty" };
  }

  private async append(proposals: Proposal[]) {
    try {
      return await (this.sentAtOnce(proposals) ?? this.appendAnew(proposals));
    } catch (error) {
      // What a proxy refuses says nothing about the session.
      if (error instanceof StoreFault && !error.foreign && [401, 403].includes(error.status))
        return "signed-out";
      if (error instanceof StoreFault && error.status === 413 && proposals.length > 1) {
        // Something on the way takes less than the embedded backend does.
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

  /** The answer to the same events where they are on their way already. */
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
      // A place that was taken: the log had the event already, or is shorter than what was read of it.
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
   * Gives the reader what the log has taken, which need not be read back; returns the edits of it
   * that readers reject.
   */
  private handOn(
    { proposal, edits }: EditBatch,
    { id, version, hash }: Pick<Ruling, "id" | "version" | "hash">,
  ): PendingEdit[] {
    const accepted = this.next.take({
      id,
      hash,
      version,
      actorId: this.input.userId,
      clientIds: proposal.clientIds ?? [],
      clientTime: proposal.clientTime ?? "",
      schema: proposal.schema ?? newestSchema,
      update: proposal.update ?? null,
    });
    if (!accepted || accepted.length === edits.length) return [];
    const acceptedIndexes = new Set(accepted.map(({ index }) => index));
    return edits.filter((_edit, at) => !acceptedIndexes.has(at));
  }

  /**
   * "Saved" is said only when the log, as everybody reads it, shows the edits; and nothing is sent
   * to a log that may lack what it depends on.
   */
  private async readAcknowledged(): Promise<void> {
    if (!this.next.unread && !this.next.inDoubt) return;
    await this.next.read();
    this.input.changed();
  }

  /** Waits for what others have not logged yet, and has the edits made again without it once they are not going to. */
  private async waitOrRebase(
    edits: WritableEdits,
    waiting: readonly PendingEdit[],
  ): Promise<SendOutcome> {
    const { confirmed } = this.next;
    if (!this.input.inContact()) this.missing.forget();
    else if (this.missing.due(waiting)) {
      const { version } = confirmed;
      // Only what has been looked for in the log counts as not being there.
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
