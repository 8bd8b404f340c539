import { createActor, fromPromise, type Actor } from "xstate";
import { type OutboxBox } from "@/events/device/outbox";
import { type Ruled } from "@/events/core/envelope";
import { type Store } from "@/events/log/store";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { type StateParts, type WholeState } from "@/events/crdt/validation/document-state";
import { ProvisionalUpdates } from "@/events/crdt/validation/provisional-updates";
import { machineClock } from "@/machines/clock/machine-clock";
import { type Whereabouts } from "./channel/document-channel";
import { type Leftovers } from "./device/leftovers";
import { type LiveDocumentInput } from "./live-document";
import { LivePage } from "./page/live-page";
import { LocalEdits } from "./pending/local-edits";
import { LogReader } from "./log/log-reader";
import { LogRollbacks } from "./page/log-rollbacks";
import { LogWriter } from "./log/log-writer";
import { type DeviceAnswer } from "./device/outbox-mirror";
import { PendingEdits } from "./pending/pending-edits";
import { RecentFailures } from "./recent-failures";
import { syncMachine } from "./status/sync";
import { syncDelays } from "./status/sync-delays";
import { type Access, type SyncEvent } from "./status/sync-events";
import { type PipelineReport } from "./sync-report";

type Input = Pick<
  LiveDocumentInput,
  "documentId" | "userId" | "clock" | "random" | "schemaVersion" | "initial" | "draft"
> & {
  store: Pick<Store, "append" | "appendAtOnce" | "read">;
  box: Promise<OutboxBox>;
  access(): Access;
  /** Whether a tab that writes under this client id is on the channel; `owner` is whom the log has bound it to. */
  whereabouts(client: number, owner: string | null): Whereabouts;
  /** Milliseconds between two broadcasts; 0 sends every letter at once. */
  interval(): number;
  /** Somebody's caret has come or gone: the interval may be another. */
  typistsChanged(): void;
  /** Hears under which Yjs client ids something was written. */
  wrote(clients: readonly number[]): void;
  /** Hears what the device did with what was written last. */
  stored(answer: DeviceAnswer): void;
  /** Hears that the log has got something. */
  acknowledged(): void;
  /** Hears that another Y.Doc stands in the place of the one before. */
  replaced(): void;
  /** Hears the log's rows, in order, once each, as they are shown. */
  rows(rows: Ruled[]): void;
};

/**
 * The way of a keystroke: editor → local edits → pending edits → log writer → log reader → page. A
 * stage is handed what stands behind it and knows none before it; what they all go by are the
 * confirmed document, which the reader alone changes, and others' provisional updates, which the
 * page alone changes. Two ways lead back, and are made here: the page lets go of pending edits that
 * the log has brought, and puts others in their place (a rebase). The machine says when something
 * is read or written.
 */
export class DocumentPipeline {
  readonly sync: Actor<typeof syncMachine>;
  readonly confirmed: ConfirmedDocument;
  readonly pending: PendingEdits;
  readonly page: LivePage;
  readonly rollbacks: LogRollbacks;
  private readonly writer: LogWriter;
  private readonly reader: LogReader;
  private readonly failures: RecentFailures;

  constructor(input: Input) {
    const { documentId, store, clock } = input;
    const initial = input.initial ?? null;
    const confirmed = new ConfirmedDocument(initial, { keepsUpdates: true });
    const provisional = new ProvisionalUpdates();
    const mayWrite = () => input.access() === "write";
    // What this tab itself once wrote and the log lacks is not on its way.
    const whereabouts = (client: number) =>
      this.pending.speaksAs(client) ? "gone" : input.whereabouts(client, confirmed.ownerOf(client));

    this.confirmed = confirmed;
    this.failures = new RecentFailures(clock);
    this.pending = new PendingEdits({
      ...input,
      clockOf: (client) => confirmed.clockOf(client),
      isOwn: (client) => confirmed.ownerOf(client) === input.userId,
      added: (clients) => {
        input.wrote(clients);
        this.edited();
      },
      held: (clients) => {
        input.wrote(clients);
        this.count();
      },
    });
    this.rollbacks = new LogRollbacks(confirmed, this.pending);
    this.page = new LivePage({
      ...input,
      confirmed,
      provisional,
      mayWrite,
      whereabouts,
      rollbacks: this.rollbacks,
      own: this.pending,
      local: new LocalEdits(
        {
          mayWrite,
          unlogged: () => provisional.entries,
          typed: () => this.page.typed(),
        },
        this.pending,
      ),
      unread: () => this.reader.unread,
      counted: () => this.count(),
      edited: () => this.edited(),
      rolledBack: () => this.writer.waitAnew(),
      replaced: () => {
        this.count();
        input.replaced();
      },
    });
    this.reader = new LogReader(documentId, store, initial, confirmed, {
      page: this.page,
      clock,
    });
    this.writer = new LogWriter(
      {
        ...input,
        whereabouts,
        inContact: () => this.sync.getSnapshot().value.contact === "made",
        rebase: this.page.rebuilds,
        changed: () => {
          this.page.settleUnlogged();
          input.acknowledged();
          this.count();
        },
      },
      this.reader,
    );
    this.sync = createActor(
      syncMachine.provide({
        delays: syncDelays(input.random),
        actors: {
          catchUp: fromPromise(() => this.failures.read(this.catchUp())),
          send: fromPromise(() => this.failures.send(this.writer.write(this.pending))),
        },
      }),
      { clock: machineClock(clock) },
    );
  }

  start(access: Access): void {
    this.sync.start();
    this.sync.send({ type: "access.changed", access });
  }

  /** What the log holds, with the hash of its last row where that is known. */
  state(): WholeState {
    return this.reader.state();
  }

  /** The same in parts, for which nothing is encoded; null where they are too many. */
  parts(): StateParts | null {
    return this.reader.parts();
  }

  /** Takes in what was written before there was a pipeline. */
  takeDraft(edits: Parameters<PendingEdits["takeOver"]>[0]): void {
    this.pending.takeOver(edits);
    if (edits.length > 0) this.edited();
  }

  /** Takes in what an earlier tab has left on the device. */
  takeLeftovers(left: Leftovers): void {
    this.pending.takeOverLeftovers(left);
    // Their tab may have sent them in its last turn.
    if (left.edits.length > 0) this.reader.doubt();
    // What the log has already would be made again by a page that is being built anew, and stand there twice.
    for (const { proposal } of left.events)
      if (this.reader.knows([proposal.id])) this.pending.acknowledge(proposal.id);
    this.page.showLeftovers(left.dependencies.map(({ update }) => update));
  }

  /** Has what waits sent now, and in this very turn as far as that goes: the page may not have another. */
  flush(): void {
    // A composition that the page does not come to the end of is recorded as it stands.
    this.pending.release();
    this.writer.writeAtOnce(this.pending);
    this.dispatch({ type: "flush" });
  }

  /** Has the machine send what waits, soon. */
  edited(): void {
    this.count();
    this.sync.send({ type: "edited" });
  }

  /** Others have brought these events into the log, up to this version. */
  noticed(version: number, ids: readonly string[]): void {
    if (this.reader.knows(ids) || ids.every((id) => this.pending.owns(id))) return;
    // News from behind where this page stands: unless it comes late, the log was rolled back.
    if (version <= this.confirmed.version) this.reader.doubt();
    this.sync.send({ type: "log.noticed" });
  }

  /** Nobody knows what has happened meanwhile: how long others are waited for begins anew. */
  contactLost(): void {
    this.writer.waitAnew();
    this.page.contactLost();
  }

  /** The way to the log was gone: what was read of it is looked at again. */
  doubt(): void {
    this.reader.doubt();
  }

  /** Lets go of the edits that nobody can place or read. */
  forgetOrphaned(): void {
    this.pending.forget();
    this.count();
  }

  /** Lets go of everything that the log does not have; the page shows what the log holds. */
  letGo(): void {
    this.pending.letGo();
    this.page.rebuild({ reason: "discarded" });
    this.count();
    // What was refused is not in the way any more.
    this.sync.send({ type: "retry" });
  }

  /** Tells the machine; what is still under way when the document is closed tells nobody any more. */
  dispatch(event: SyncEvent): void {
    if (this.sync.getSnapshot().status === "active") this.sync.send(event);
  }

  /** How its stages stand, without anything that somebody wrote. */
  debug(): PipelineReport {
    const { confirmed, page, pending, reader } = this;
    return {
      snapshot: this.sync.getSnapshot(),
      unsent: pending.amounts,
      confirmed: {
        version: confirmed.version,
        refolds: confirmed.refolds,
        rejectedEdits: confirmed.anomalies.length,
        inDoubt: reader.inDoubt,
        acknowledgedUnread: reader.unread,
        logRollbacks: this.rollbacks.count,
      },
      page: {
        clientId: page.current.doc.clientID,
        rebuilding: page.rebuilds.active,
        rebuiltFor: page.rebuilds.reasons,
        othersUnlogged: page.othersUnlogged,
      },
      failures: this.failures.list,
    };
  }

  private async catchUp(): Promise<void> {
    await this.reader.read();
  }

  private count(): void {
    const orphaned = this.pending.unplaced.orphaned.length;
    this.dispatch({
      type: "counted",
      pending: this.pending.count + orphaned + (this.reader.unread ? 1 : 0),
      orphaned,
      unreadable: this.pending.unplaced.unreadable.length,
    });
  }
}
