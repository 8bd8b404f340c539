import type { Awareness } from "y-protocols/awareness";
import type { Actor } from "xstate";
import type * as Y from "yjs";
import type { Person, PresenceState } from "@/events/realtime/presence-list";
import type { OutboxRecord } from "@/events/device/outbox";
import type { Ruled } from "@/events/core/envelope";
import type { StateParts, WholeState } from "@/events/crdt/validation/document-state";
import { OutboxTakeover } from "./outbox-takeover";
import { DocumentChannel } from "./channel/document-channel";
import { DocumentLink } from "./document-link";
import { DocumentPipeline } from "./document-pipeline";
import { Handover } from "./device/handover";
import { LagDetector } from "./lag-detector";
import { Listeners } from "./channel/listeners";
import { readLeft } from "./device/leftovers";
import type { LiveDocument, LiveDocumentInput } from "./live-document";
import type { DeviceAnswer } from "./device/outbox-mirror";
import type { PageView } from "./device/page-view";
import type { syncMachine } from "./status/sync";
import type { Access } from "./status/sync-events";
import { syncReport } from "./sync-report";
import type { SyncReport } from "./sync-report";
import { untilAlone, untilContact, untilEmptied, untilStored } from "./status/sync-conditions";
import { WritingClaims } from "./writing-claims";

/** Opens a document for live editing, in a browser or in Node.js. */
export function openDocument(input: LiveDocumentInput): LiveDocument {
  return new OpenDocument(input);
}

/** One open document: its pipeline, its channel, its outbox on the device, and their listeners. */
class OpenDocument implements LiveDocument {
  readonly loaded: Promise<void>;
  readonly hasTakenOver: Promise<void>;
  private readonly input: LiveDocumentInput;
  private readonly pipeline: DocumentPipeline;
  private readonly channel: DocumentChannel;
  private readonly link: DocumentLink;
  private readonly outboxTakeover: OutboxTakeover;
  private readonly claims: WritingClaims;
  private readonly lag: LagDetector;
  private readonly handover = new Handover();
  private readonly replacedListeners = new Listeners();
  private readonly peopleListeners = new Listeners();
  private readonly rowListeners = new Listeners<[rows: Ruled[]]>();
  private readonly advanceListeners = new Listeners();
  private access: Access;
  private closing = false;
  private closed: Promise<void> | null = null;

  constructor(input: LiveDocumentInput) {
    this.input = input;
    this.access = input.access ?? "write";
    this.outboxTakeover = new OutboxTakeover({
      ...input,
      answered: (answer) => this.reportStored(answer),
      take: (records) => this.takeOverLeftovers(records),
      found: (elsewhere) => this.pipeline.dispatch({ type: "looked", elsewhere }),
      requested: () => this.handOver(),
    });
    this.pipeline = new DocumentPipeline({
      ...input,
      store: this.handover.guarded(input.store),
      box: this.outboxTakeover.box,
      access: () => this.access,
      whereabouts: (client, owner) => this.channel.whereabouts(client, owner),
      interval: () => this.channel.interval(),
      typistsChanged: () => this.link.updateDelay(),
      stored: (answer) => this.reportStored(answer),
      acknowledged: () => {
        this.claims.acknowledged();
        this.advanceListeners.notify();
      },
      wrote: (clients) => this.claims.wrote(clients),
      replaced: () => {
        this.claims.replaced();
        this.replacedListeners.notify();
      },
      rows: (rows) => {
        this.rowListeners.notify(rows);
        this.advanceListeners.notify();
      },
    });
    this.channel = new DocumentChannel({
      ...input,
      typists: () => this.awareness.getStates().size,
      changed: (state) => {
        if (!this.closing) this.link.changed(state);
      },
      noticed: (version, ids) => this.pipeline.noticed(version, ids),
      heard: (event, payload) => this.pipeline.page.current.broadcast(event, payload),
      met: (newcomers) => {
        if (newcomers) this.pipeline.page.current.announce();
        this.peopleListeners.notify();
        this.link.updateDelay();
      },
    });
    this.link = new DocumentLink({
      pipeline: this.pipeline,
      channel: this.channel,
      sync: this.sync,
      access: () => this.access,
    });
    this.lag = new LagDetector(input.clock, () => this.seen());
    this.pipeline.page.current.connect(this.channel.subscription);
    this.loaded = untilContact(this.sync);
    this.pipeline.start(this.access);
    this.claims = new WritingClaims({
      sync: this.sync,
      channel: this.channel,
      clients: () =>
        this.access === "write" ? [this.doc.clientID, ...this.pipeline.pending.clients] : [],
    });
    this.pipeline.takeDraft(input.draft?.take() ?? []);
    this.hasTakenOver = this.outboxTakeover.begin();
  }

  get sync(): Actor<typeof syncMachine> {
    return this.pipeline.sync;
  }

  get doc(): Y.Doc {
    return this.pipeline.page.current.doc;
  }

  get fragment(): Y.XmlFragment {
    return this.pipeline.page.current.fragment;
  }

  get awareness(): Awareness {
    return this.pipeline.page.current.awareness;
  }

  get people(): Person[] {
    return this.channel.people;
  }

  get version(): number {
    return this.pipeline.confirmed.version;
  }

  confirmed(): WholeState {
    return this.pipeline.state();
  }

  parts(): StateParts | null {
    return this.pipeline.parts();
  }

  joined(parts: StateParts, state: Uint8Array): WholeState | null {
    if (!this.pipeline.confirmed.rebase(parts, state)) return null;
    const { version, hash, owners } = parts;
    return { version, state, ...(hash && { hash }), ...(owners && { owners }) };
  }

  get logRollbacks(): number {
    return this.pipeline.rollbacks.count;
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

  onAdvanced(listener: () => void) {
    return this.advanceListeners.add(listener);
  }

  userOf(clientId: number): string | null {
    return clientId === this.doc.clientID
      ? this.input.userId
      : this.pipeline.confirmed.ownerOf(clientId);
  }

  setAccess(access: Access): void {
    if (access === this.access) return;
    this.access = access;
    if (access !== "write") this.awareness.setLocalState(null);
    this.claims.track();
    this.sync.send({ type: "access.changed", access });
    this.input.channels.wake();
  }

  setPresence(state: PresenceState): void {
    this.claims.present(state);
  }

  show(view: PageView): () => void {
    return this.pipeline.page.show(view);
  }

  resume(): void {
    this.input.channels.wake();
    this.sync.send({ type: "session.restored" });
  }

  flush(): void {
    this.pipeline.flush();
  }

  /** Reads the log before the status says "Saved", because events may have been missed. */
  seen(): void {
    this.pipeline.contactLost();
    this.sync.send({ type: "doubted" });
  }

  forgetOrphaned(): void {
    this.pipeline.forgetOrphaned();
  }

  letGo(): void {
    this.pipeline.letGo();
  }

  get isStored(): boolean {
    return this.pipeline.pending.isStored && this.outboxTakeover.onDevice;
  }

  stored(): Promise<void> {
    const { pending } = this.pipeline;
    return untilStored(this.sync, {
      answered: () => pending.stored(),
      isSafe: () => pending.count === 0 || this.isStored,
    });
  }

  async complete(): Promise<void> {
    await this.hasTakenOver;
    await this.loaded;
    await untilAlone(this.sync);
  }

  unsavedText(): string {
    return this.pipeline.pending.text;
  }

  rolledBackText(): string {
    return this.pipeline.rollbacks.text();
  }

  debug(): SyncReport {
    return syncReport({
      ...this.pipeline.debug(),
      at: new Date(this.input.clock.now()).toISOString(),
      documentId: this.input.documentId,
      channel: this.channel.debug(),
      device: {
        storesOutbox: this.outboxTakeover.onDevice,
        complete: this.isStored,
        ...this.pipeline.pending.mirrorAmounts,
      },
      access: this.access,
    });
  }

  close(): Promise<void> {
    return (this.closed ??= this.finish());
  }

  private async finish(): Promise<void> {
    const { pending, page, confirmed } = this.pipeline;
    this.closing = true;
    this.outboxTakeover.end();
    this.lag.stop();
    page.current.disconnect();
    this.channel.subscription.close();
    this.flush();
    await Promise.race([
      untilEmptied(
        this.sync,
        () => pending.count,
        () => this.isStored,
      ),
      this.handover.done,
    ]);
    this.sync.stop();
    await pending.stored();
    await (await this.outboxTakeover.box).close();
    page.destroy();
    confirmed.doc.destroy();
  }

  private reportStored(answer: DeviceAnswer): void {
    this.pipeline.dispatch(
      answer === "stored" && this.outboxTakeover.onDevice
        ? { type: "storage.restored" }
        : { type: "storage.failed", full: answer === "full" },
    );
  }

  /** Called when another tab shows this document and requests the edits of this tab. */
  private handOver(): void {
    if (!this.closing && this.input.yields !== true) return;
    // Edits that the device has not stored would be lost with this tab.
    if (!this.isStored) return;
    this.handover.give();
    void this.close();
  }

  private takeOverLeftovers(records: OutboxRecord[]): void {
    this.pipeline.takeLeftovers(readLeft(records));
    this.claims.track();
    this.pipeline.edited();
  }
}
