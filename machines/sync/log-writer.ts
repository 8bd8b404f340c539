import { appendBytes } from "@/events/log/append-size";
import { type Clock } from "@/events/core/clock";
import { newestSchema } from "@/events/content/text-schema";
import { type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { type Ruling } from "@/events/core/envelope";
import { StoreFault, type Store } from "@/events/log/store";
import { type LogReader } from "./log-reader";
import { type Whereabouts } from "./document-channel";
import { MissingAuthors } from "./missing-authors";
import { type PendingEdits } from "./pending-edits";
import { type RebuildRequest } from "./page-rebuild";
import { type PageRebuilds } from "./page-rebuilds";
import { type Access, type SendOutcome } from "./sync-events";
import { TimeSlices } from "./time-slices";

type WriterInput = {
  documentId: string;
  userId: string;
  store: Pick<Store, "append">;
  clock: Clock;
  reader: LogReader;
  pending: PendingEdits;
  access(): Access;
  /** Whether the log can be read at present. */
  inContact(): boolean;
  /** Whether those who write under this client id are on the document's channel. */
  whereabouts(client: number): Whereabouts;
  /** Reads on in the log and shows what it brings. */
  catchUp(): Promise<void>;
  /** Hears that what is unsaved, or what the log holds, has changed. */
  changed(): void;
  /** Builds the page anew on the log, with its edits made again where they have to be. */
  replace(request: RebuildRequest): void;
  /** What is being rebuilt. */
  rebuilds(): Pick<PageRebuilds, "active" | "settled">;
};

/** How often in a row an edit is made again because somebody else had its client id bound first, or readers of the log pass over it. */
const mostNewIds = 8;

/** Brings one's own edits into the log: in batches, in order, and each only when the log holds what it depends on. */
export class LogWriter {
  private readonly input: WriterInput;
  private readonly missing: MissingAuthors;
  private newIds = 0;
  private passedOver = 0;
  private batchBytes = appendBytes;
  private acknowledgedVersion = 0;

  constructor(input: WriterInput) {
    this.input = input;
    this.missing = new MissingAuthors({
      ...input,
      clockOf: (client) => input.reader.confirmed.clockOf(client),
    });
  }

  /** Whether the log has acknowledged more than has been read back of it. */
  get unread(): boolean {
    return this.acknowledgedVersion > this.input.reader.confirmed.version;
  }

  /** What the log has acknowledged so far is not in it any more. */
  startOver(): void {
    this.acknowledgedVersion = 0;
    this.waitAnew();
  }

  /** Begins to wait anew for what edits depend on: others may have been unable to send for as long as one was away, or one has not heard of it. */
  waitAnew(): void {
    this.missing.forget();
  }

  /** Sends what may be sent, at most one append, and says what came of it; faults throw. */
  async send(): Promise<SendOutcome> {
    const { pending } = this.input;
    // What is being made again must not be sent as it was; who waits for it hears when it is done.
    if (this.input.rebuilds().active) return { kind: "blocked" };
    if (this.input.access() !== "write")
      return { kind: "refused", refusal: { name: "not-permitted", detail: "" } };
    await this.readAcknowledged();
    if (pending.batches.length === 0) {
      const slices = new TimeSlices(this.input.clock);
      const waiting = await pending.buildBatches((edits) => slices.turn(edits));
      if (this.input.rebuilds().active) return { kind: "blocked" };
      if (waiting.length === 0) this.missing.forget();
      if (pending.batches.length === 0)
        return waiting.length === 0 ? { kind: "empty" } : this.waitOrRebase(waiting);
    }
    await pending.stored();
    const events = pending.nextBatches(this.batchBytes);
    const answer = await this.append(events.map(({ proposal }) => proposal));
    if (answer === "signed-out") return { kind: "signed-out" };
    if (answer === "too-long") return { kind: "more" };
    if (!answer.ok) {
      if (answer.refusal.reason === "client-id-taken" && this.newIds < mostNewIds) {
        // Somebody took this tab's client id first: the same again under a new one, before it can be taken as well.
        this.newIds += 1;
        this.input.replace({ again: pending.unacknowledged });
        await this.input.rebuilds().settled();
        return this.send();
      }
      return { kind: "refused", refusal: answer.refusal };
    }
    this.newIds = 0;
    await this.acknowledged(answer.rulings);
    if (this.passedOver > mostNewIds) {
      // Readers of the log take none of it in, however it is written: whoever wrote it has to be told.
      this.passedOver = 0;
      return { kind: "refused", refusal: { name: "invalid-event", detail: "" } };
    }
    return { kind: pending.count > 0 ? "more" : "empty" };
  }

  private async append(proposals: Parameters<Store["append"]>[2]) {
    try {
      return await this.input.store.append(this.input.documentId, null, proposals);
    } catch (error) {
      if (error instanceof StoreFault && (error.status === 401 || error.status === 403))
        return "signed-out";
      if (error instanceof StoreFault && error.status === 413 && proposals.length > 1) {
        // Something on the way takes less than the embedded backend does.
        this.batchBytes /= 2;
        return "too-long";
      }
      this.input.reader.doubt();
      throw error;
    }
  }

  private async acknowledged(rulings: Pick<Ruling, "id" | "version" | "hash">[]): Promise<void> {
    const { pending, reader, userId } = this.input;
    if (
      rulings.some(({ id, version }) => version <= reader.confirmed.version && pending.owns(id))
    ) {
      // A place that was taken: the log had the event already, or is shorter than what was read of it.
      reader.doubt();
      await this.input.catchUp();
    }
    const rejected: PendingEdit[] = [];
    for (const { id, version, hash } of rulings) {
      const event = pending.acknowledge(id);
      if (!event) continue;
      const { proposal } = event;
      const accepted = reader.take({
        id,
        hash,
        version,
        actorId: userId,
        clientIds: proposal.clientIds ?? [],
        clientTime: proposal.clientTime ?? "",
        schema: proposal.schema ?? newestSchema,
        update: proposal.update ?? null,
      });
      if (!accepted || accepted.length === event.edits.length) continue;
      const taken = new Set(accepted.map(({ index }) => index));
      rejected.push(...event.edits.filter((_edit, at) => !taken.has(at)));
    }
    this.acknowledgedVersion = Math.max(
      this.acknowledgedVersion,
      ...rulings.map(({ version }) => version),
    );
    this.passedOver = rejected.length === 0 ? 0 : this.passedOver + 1;
    if (rejected.length > 0) this.input.replace({ again: pending.putBack(rejected) });
    this.input.changed();
    await this.readAcknowledged();
  }

  /** "Saved" is said only when the log, as everybody reads it, shows the edits; and nothing is sent to a log that may lack what it depends on. */
  private async readAcknowledged(): Promise<void> {
    if (!this.unread && !this.input.reader.inDoubt) return;
    await this.input.catchUp();
    this.input.changed();
  }

  /** Waits for what others have not logged yet, and makes the edits again without it once they are not going to. */
  private async waitOrRebase(waiting: PendingEdit[]): Promise<SendOutcome> {
    const { reader, pending, inContact, catchUp, replace } = this.input;
    if (!inContact()) this.missing.forget();
    else if (this.missing.due(waiting)) {
      const { version } = reader.confirmed;
      // Only what has been looked for in the log counts as not being there.
      await catchUp();
      if (reader.confirmed.version > version && pending.mayGoOn) return { kind: "more" };
      const gone = this.missing.lookedFor(waiting);
      const [first] = waiting;
      if (gone.size > 0 && first) {
        this.missing.forget();
        replace({
          waiting: first,
          forget: ({ inspected }) => inspected.structs.some(({ client }) => gone.has(client)),
        });
      }
    }
    return { kind: "blocked" };
  }
}
