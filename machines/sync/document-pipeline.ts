import { createActor, fromPromise } from "xstate";
import type { Actor } from "xstate";
import type { OutboxBox } from "@/events/device/outbox";
import type { Ruled } from "@/events/core/envelope";
import type { Store } from "@/events/log/store";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { StateParts, WholeState } from "@/events/crdt/validation/document-state";
import { ProvisionalUpdates } from "@/events/crdt/validation/provisional-updates";
import { machineClock } from "@/machines/clock/machine-clock";
import type { Whereabouts } from "./channel/document-channel";
import type { Leftovers } from "./device/leftovers";
import type { LiveDocumentInput } from "./live-document";
import { LivePage } from "./page/live-page";
import { LocalEdits } from "./pending/local-edits";
import { LogReader } from "./log/log-reader";
import { LogRollbacks } from "./page/log-rollbacks";
import { LogWriter } from "./log/log-writer";
import type { DeviceAnswer } from "./device/outbox-mirror";
import { PendingEdits } from "./pending/pending-edits";
import { RecentFailures } from "./recent-failures";
import { syncMachine } from "./status/sync";
import { syncDelays } from "./status/sync-delays";
import type { Access, SyncEvent } from "./status/sync-events";
import type { PipelineReport } from "./sync-report";

type Input = Pick<
  LiveDocumentInput,
  "documentId" | "userId" | "clock" | "random" | "schemaVersion" | "initial" | "draft"
> & {
  store: Pick<Store, "append" | "appendAtOnce" | "read">;
  box: Promise<OutboxBox>;
  access(): Access;
  /**
   * Whether a tab that writes under this client id is on the channel. `owner` is the account that
   * the log has bound the id to, or null.
   */
  whereabouts(client: number, owner: string | null): Whereabouts;
  /** Returns the ms between two broadcasts. 0 sends every keystroke at once. */
  interval(): number;
  /** Called when a caret has appeared or disappeared, which may change the interval. */
  typistsChanged(): void;
  /** Called with the Yjs client ids of each local edit. */
  wrote(clients: readonly number[]): void;
  /** Called with the device's answer to the last write. */
  stored(answer: DeviceAnswer): void;
  /** Called when the log has acknowledged edits. */
  acknowledged(): void;
  /** Called when the page has switched to another Y.Doc. */
  replaced(): void;
  /** Called with the log's rows as the page shows them, each row once and in order. */
  rows(rows: Ruled[]): void;
};

/**
 * The path of a keystroke: editor → local edits → pending edits → log writer → log reader → page.
 * Each stage receives the next stage and does not know the previous one. All stages share the
 * confirmed document, which only the reader changes, and others' provisional updates, which only
 * the page changes. Two links lead back and are made here: the page acknowledges pending edits that
 * the log has brought, and rebases others. The machine decides when to read and write.
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
    // No tab will send text that this tab once wrote and the log lacks.
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

  /** Returns the log's state, with the hash of its last row if known. */
  state(): WholeState {
    return this.reader.state();
  }

  /** Returns the same state in parts, without encoding it, or null if there are too many parts. */
  parts(): StateParts | null {
    return this.reader.parts();
  }

  /** Takes over the edits of a draft. */
  takeDraft(edits: Parameters<PendingEdits["takeOver"]>[0]): void {
    this.pending.takeOver(edits);
    if (edits.length > 0) this.edited();
  }

  /** Takes over the records that an earlier tab has left on the device. */
  takeLeftovers(left: Leftovers): void {
    this.pending.takeOverLeftovers(left);
    // The earlier tab may have sent these edits in its last turn.
    if (left.edits.length > 0) this.reader.doubt();
    // Otherwise a running rebuild would rebase edits that the log already has, and the page would
    // show them twice.
    for (const { proposal } of left.events)
      if (this.reader.knows([proposal.id])) this.pending.acknowledge(proposal.id);
    this.page.showLeftovers(left.dependencies.map(({ update }) => update));
  }

  /**
   * Sends the waiting edits now, synchronously where possible: the page may not get another turn.
   */
  flush(): void {
    // A composition that the page cannot finish is recorded as it is.
    this.pending.release();
    this.writer.writeAtOnce(this.pending);
    this.dispatch({ type: "flush" });
  }

  /** Requests a send from the machine. */
  edited(): void {
    this.count();
    this.sync.send({ type: "edited" });
  }

  /** Called when others have appended these events, up to `version`. */
  noticed(version: number, ids: readonly string[]): void {
    if (this.reader.knows(ids) || ids.every((id) => this.pending.owns(id))) return;
    // The notice is late if its version precedes this page's, or else the log was rolled back.
    if (version <= this.confirmed.version) this.reader.doubt();
    this.sync.send({ type: "log.noticed" });
  }

  /** Restarts the wait for others after contact was lost, because notices may have been missed. */
  contactLost(): void {
    this.writer.waitAnew();
    this.page.contactLost();
  }

  /** Makes the next read check the rows read so far, after the connection to the log was lost. */
  doubt(): void {
    this.reader.doubt();
  }

  /** Drops the edits that cannot be placed or read. */
  forgetOrphaned(): void {
    this.pending.forget();
    this.count();
  }

  /** Drops every edit that the log does not have. The page then shows the log's state. */
  letGo(): void {
    this.pending.letGo();
    this.page.rebuild({ reason: "discarded" });
    this.count();
    // A refused append no longer blocks later ones.
    this.sync.send({ type: "retry" });
  }

  /** Sends an event to the machine, unless the document is closed. */
  dispatch(event: SyncEvent): void {
    if (this.sync.getSnapshot().status === "active") this.sync.send(event);
  }

  /** Returns the state of the stages, without any written text. */
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
