import { type Awareness } from "y-protocols/awareness";
import { createActor, fromPromise, type Actor } from "xstate";
import type * as Y from "yjs";
import { type Subscription } from "@/events/realtime/channel";
import { type Person, type PresenceState } from "@/events/realtime/presence-list";
import { type OutboxRecord } from "@/events/device/outbox";
import { type Ruled } from "@/events/core/envelope";
import { StoreFault } from "@/events/log/store";
import { type WholeState } from "@/events/crdt/validation/document-state";
import { OutboxTakeover } from "./outbox-takeover";
import { CatchingUp } from "./catching-up";
import { DocumentChannel } from "./document-channel";
import { LagDetector } from "./lag-detector";
import { Listeners } from "./listeners";
import { readLeft } from "./leftovers";
import { type LiveDocument, type LiveDocumentInput } from "./live-document";
import { LivePage } from "./live-page";
import { LogReader } from "./log-reader";
import { LogWriter } from "./log-writer";
import { machineClock } from "@/machines/clock/machine-clock";
import { PendingEdits } from "./pending-edits";
import { type DeviceAnswer } from "./outbox-mirror";
import { type PageView } from "./page-view";
import { RecentFailures } from "./recent-failures";
import { LogRollbacks } from "./log-rollbacks";
import { syncMachine } from "./sync";
import { type Access, type SyncEvent } from "./sync-events";
import { syncReport, type SyncReport } from "./sync-report";
import { untilContact, untilEmptied } from "./sync-moments";
import { WritingClaims } from "./writing-claims";

/** Opens a document for live editing, in a browser or in Node; everything that reaches outside is handed in. */
export function openDocument(input: LiveDocumentInput): LiveDocument {
  return new OpenDocument(input);
}

class OpenDocument implements LiveDocument {
  readonly sync: Actor<typeof syncMachine>;
  readonly loaded: Promise<void>;
  readonly hasTakenOver: Promise<void>;
  private readonly input: LiveDocumentInput;
  private readonly reader: LogReader;
  private readonly pending: PendingEdits;
  private readonly lost: LogRollbacks;
  private readonly writer: LogWriter;
  private readonly page: LivePage;
  private readonly channel: DocumentChannel;
  private readonly outboxTakeover: OutboxTakeover;
  private readonly catchingUp: CatchingUp;
  private readonly replacedListeners = new Listeners();
  private readonly peopleListeners = new Listeners();
  private readonly rowListeners = new Listeners<[rows: Ruled[]]>();
  private readonly failures: RecentFailures;
  private access: Access;
  private readonly claims: WritingClaims;
  private readonly lag: LagDetector;
  private closing = false;
  private closed: Promise<void> | null = null;
  private handedOver = false;
  private letHand = () => {};
  private readonly handed = new Promise<void>((hand) => (this.letHand = hand));

  constructor(input: LiveDocumentInput) {
    this.input = input;
    this.access = input.access ?? "write";
    this.failures = new RecentFailures(input.clock);
    this.reader = new LogReader(input.documentId, input.store, input.initial ?? null);
    this.outboxTakeover = new OutboxTakeover({
      ...input,
      answered: (answer) => this.sayStored(answer),
      take: (records) => this.adoptLeftovers(records),
      found: (elsewhere) => this.say({ type: "looked", elsewhere }),
      wanted: () => this.handOver(),
    });
    this.pending = new PendingEdits({
      ...input,
      box: this.outboxTakeover.box,
      clockOf: (client) => this.reader.confirmed.clockOf(client),
      stored: (answer) => this.sayStored(answer),
    });
    this.lost = new LogRollbacks(this.reader, this.pending);
    this.writer = new LogWriter({
      ...input,
      // What another tab has taken over is its to send.
      store: {
        append: (...call) =>
          this.handedOver
            ? Promise.reject(new StoreFault("handed over to another tab", 0))
            : input.store.append(...call),
      },
      reader: this.reader,
      pending: this.pending,
      access: () => this.access,
      inContact: () => this.sync.getSnapshot().value.contact === "made",
      whereabouts: (client) => this.whereabouts(client),
      catchUp: () => this.catchingUp.run(),
      changed: () => {
        this.page.settleUnlogged();
        this.claims.acknowledged();
        this.count();
      },
      replace: (request) => this.page.replace(request),
      rebuilds: () => this.page.rebuilds,
    });
    this.sync = createActor(
      syncMachine.provide({
        actors: {
          catchUp: fromPromise(() => this.failures.read(this.catchingUp.run())),
          send: fromPromise(() => this.failures.send(this.writer.send())),
        },
      }),
      { clock: machineClock(input.clock) },
    );
    this.page = new LivePage({
      ...input,
      reader: this.reader,
      pending: this.pending,
      mayWrite: () => this.access === "write",
      typed: (update) => this.typed(update),
      interval: () => this.channel.interval(),
      typistsChanged: () => this.sayDelay(),
      unsaved: () => this.pending.count > 0 || this.writer.unread,
      whereabouts: (client) => this.whereabouts(client),
      replaced: () => {
        this.count();
        this.claims.say();
        this.replacedListeners.tell();
      },
      rebuilt: () => this.edited(),
    });
    this.channel = new DocumentChannel({
      ...input,
      typists: () => this.awareness.getStates().size,
      changed: (state) => this.linkChanged(state),
      noticed: (version, ids) => {
        if (this.reader.knows(ids) || ids.every((id) => this.pending.owns(id))) return;
        // News from behind where this page stands: unless it comes late, the log was set back.
        if (version <= this.reader.confirmed.version) this.reader.doubt();
        this.sync.send({ type: "log.noticed" });
      },
      heard: (event, payload) => this.page.broadcast(event, payload),
      met: (newcomers) => {
        if (newcomers) this.page.announce();
        this.peopleListeners.tell();
        this.sayDelay();
      },
    });
    this.catchingUp = new CatchingUp({
      reader: this.reader,
      pending: this.pending,
      lost: this.lost,
      page: this.page,
      writer: this.writer,
      rows: (rows) => this.rowListeners.tell(rows),
      counted: () => this.count(),
      edited: () => this.edited(),
    });
    this.lag = new LagDetector(input.clock, () => this.lostTouch());
    this.page.connect(this.channel.subscription);
    this.loaded = untilContact(this.sync);
    this.sync.start();
    this.sync.send({ type: "access.changed", access: this.access });
    this.claims = new WritingClaims({
      sync: this.sync,
      channel: this.channel,
      clients: () => (this.access === "write" ? [this.doc.clientID, ...this.pending.clients] : []),
    });
    const written = input.draft?.take() ?? [];
    this.pending.takeOver(written);
    if (written.length > 0) this.edited();
    this.hasTakenOver = this.outboxTakeover.begin();
  }

  get doc(): Y.Doc {
    return this.page.doc;
  }

  get fragment(): Y.XmlFragment {
    return this.page.fragment;
  }

  get awareness(): Awareness {
    return this.page.awareness;
  }

  get people(): Person[] {
    return this.channel.people;
  }

  get version(): number {
    return this.reader.confirmed.version;
  }

  confirmed(): WholeState {
    return this.reader.state();
  }

  get logRollbacks(): number {
    return this.lost.count;
  }

  onReplaced(listener: () => void) {
    return this.replacedListeners.add(listener);
  }

  onPeople(listener: () => void) {
    return this.peopleListeners.add(listener);
  }

  onRows(listener: (rows: Ruled[]) => void) {
    return this.rowListeners.add(listener);
  }

  userOf(clientId: number): string | null {
    return clientId === this.doc.clientID
      ? this.input.userId
      : this.reader.confirmed.ownerOf(clientId);
  }

  setAccess(access: Access): void {
    if (access === this.access) return;
    this.access = access;
    if (access !== "write") this.awareness.setLocalState(null);
    this.claims.say();
    this.sync.send({ type: "access.changed", access });
    this.input.channels.wake();
  }

  setPresence(state: PresenceState): void {
    this.claims.present(state);
  }

  show(view: PageView): () => void {
    return this.page.show(view);
  }

  resume(): void {
    this.input.channels.wake();
    this.sync.send({ type: "session.restored" });
  }

  flush(): void {
    this.sync.send({ type: "flush" });
  }

  seen(): void {
    this.lostTouch();
  }

  forgetOrphaned(): void {
    this.pending.forget();
    this.count();
  }

  letGo(): void {
    this.pending.letGo();
    this.page.replace();
    this.count();
    // What was refused is not in the way any more.
    this.sync.send({ type: "retry" });
  }

  get isStored(): boolean {
    return this.pending.isStored && this.outboxTakeover.onDevice;
  }

  unsavedText(): string {
    return this.pending.text;
  }

  lostText(): string {
    return this.lost.text();
  }

  debug(): SyncReport {
    const { outboxTakeover, channel, pending, page, reader } = this;
    return syncReport({
      at: new Date(this.input.clock.now()).toISOString(),
      documentId: this.input.documentId,
      snapshot: this.sync.getSnapshot(),
      confirmed: {
        version: reader.confirmed.version,
        refolds: reader.confirmed.refolds,
        rejectedEdits: reader.confirmed.flags.length,
        inDoubt: reader.inDoubt,
        acknowledgedUnread: this.writer.unread,
        logSetBacks: this.lost.count,
      },
      unsent: pending.amounts,
      page: {
        clientId: page.doc.clientID,
        rebuilding: page.rebuilds.active,
        othersUnlogged: page.provisional.size,
      },
      channel: channel.debug(),
      device: {
        storesOutbox: outboxTakeover.onDevice,
        complete: this.isStored,
        ...pending.mirrorAmounts,
      },
      access: this.access,
      failures: this.failures.list,
    });
  }

  close(): Promise<void> {
    return (this.closed ??= this.finish());
  }

  private async finish(): Promise<void> {
    this.closing = true;
    this.outboxTakeover.end();
    this.lag.stop();
    this.page.disconnect();
    this.channel.subscription.close();
    this.flush();
    await Promise.race([
      untilEmptied(
        this.sync,
        () => this.pending.count,
        () => this.isStored,
      ),
      this.handed,
    ]);
    this.sync.stop();
    await this.pending.stored();
    await (await this.outboxTakeover.box).close();
    this.page.destroy();
    this.reader.confirmed.doc.destroy();
  }

  private sayStored(answer: DeviceAnswer) {
    this.say(
      answer === "kept" && this.outboxTakeover.onDevice
        ? { type: "storage.restored" }
        : { type: "storage.failed", full: answer === "full" },
    );
  }

  /** What is still under way when the document is closed tells nobody any more. */
  private say(event: SyncEvent): void {
    if (this.sync.getSnapshot().status === "active") this.sync.send(event);
  }

  /** Another tab shows this document and asks for what this one, which nobody looks at, keeps. */
  private handOver(): void {
    if (!this.closing && this.input.yields !== true) return;
    // What the device does not have would be lost with this tab.
    if (!this.isStored) return;
    this.handedOver = true;
    this.letHand();
    void this.close();
  }

  private adoptLeftovers(records: OutboxRecord[]): void {
    const left = readLeft(records);
    this.pending.adoptLeftovers(left);
    // What the log has already would be made again by a page that is being built anew, and stand there twice.
    for (const { proposal } of left.events)
      if (this.reader.knows([proposal.id])) this.pending.acknowledge(proposal.id);
    const supports = left.supports.map(({ update }) => update);
    for (const update of supports) this.page.hearUnlogged(update);
    this.page.applyRemote([
      ...supports,
      ...this.pending.unacknowledged.map(({ update }) => update),
    ]);
    this.claims.say();
    this.edited();
  }

  private typed(update: Uint8Array): void {
    this.pending.add(update, () => this.page.provisional.entries);
    this.edited();
  }

  private edited(): void {
    this.count();
    this.sync.send({ type: "edited" });
  }

  private count(): void {
    const unread = this.writer.unread ? 1 : 0;
    const orphaned = this.pending.unplaced.orphaned.length;
    this.say({
      type: "counted",
      pending: this.pending.count + orphaned + unread,
      orphaned,
      unreadable: this.pending.unplaced.unreadable.length,
    });
  }

  private whereabouts(client: number) {
    // What this tab itself once wrote and the log lacks is not on its way.
    return this.pending.speaksAs(client)
      ? "gone"
      : this.channel.whereabouts(client, this.reader.confirmed.ownerOf(client));
  }

  /** Nobody knows what has happened meanwhile: how long others are waited for begins anew, and the log is read before "Saved" is said. */
  private lostTouch(): void {
    this.writer.waitAnew();
    this.page.lostTouch();
    this.sync.send({ type: "doubted" });
  }

  private linkChanged(state: ReturnType<Subscription["state"]>): void {
    if (this.closing) return;
    if (state === "joined") {
      this.writer.waitAnew();
      this.page.lostTouch();
      // Whoever was shut out and is let in again may do what they could before, until told otherwise.
      if (this.sync.getSnapshot().value.access === "none")
        this.sync.send({ type: "access.changed", access: this.access });
      this.page.joined();
      this.sync.send({ type: "link.joined" });
    } else {
      this.reader.doubt();
      this.page.left();
      this.sync.send({ type: state === "connecting" ? "link.connecting" : "link.lost" });
      if (state === "gone") this.sync.send({ type: "access.changed", access: "none" });
    }
    this.sayDelay();
  }

  private sayDelay(): void {
    const delay = this.channel.interval();
    if (delay !== this.sync.getSnapshot().context.delay) this.sync.send({ type: "slowed", delay });
  }
}
