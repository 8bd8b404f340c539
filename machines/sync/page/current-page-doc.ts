import { Awareness } from "y-protocols/awareness";
import type * as Y from "yjs";
import type { Clock } from "@/events/core/clock";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import type { Subscription } from "@/events/realtime/channel";
import { PageDoc } from "./page-doc";

type Input = {
  clock: Clock;
  /** Records the editor's writes into the page's document. */
  local: { listen(doc: Y.Doc): void; end(): void };
  mayWrite(): boolean;
  /** Returns the ms between two broadcasts. 0 sends every keystroke at once. */
  interval(): number;
  /** Called when a caret has appeared or disappeared, which may change the interval. */
  typistsChanged(): void;
  /** Returns the updates to apply for an update received by broadcast. */
  accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[];
  /** Called when an update that passed every check broke the document. */
  broken(): void;
};

/** The Y.Doc that the page currently shows, connected to the document's channel. */
export class CurrentPageDoc {
  private readonly input: Input;
  private pageDoc: PageDoc;
  private subscription: Subscription | null = null;
  private closed = false;

  constructor(input: Input, first: { doc: Y.Doc; awareness?: Awareness | undefined }) {
    this.input = input;
    this.pageDoc = new PageDoc(first.doc, first.awareness ?? this.freshAwareness(first.doc, null));
  }

  get doc(): Y.Doc {
    return this.pageDoc.doc;
  }

  get awareness(): Awareness {
    return this.pageDoc.awareness;
  }

  get fragment(): Y.XmlFragment {
    return this.pageDoc.fragment;
  }

  /** Whether the caret and the letters of the current Y.Doc have the same client id. */
  get isWhole(): boolean {
    return this.pageDoc.isWhole;
  }

  /** Applies updates in one transaction. Returns false if Yjs failed on them. */
  apply(updates: readonly Uint8Array[]): boolean {
    return this.pageDoc.apply(updates);
  }

  /** Starts to send and receive on the document's channel. */
  connect(subscription: Subscription): void {
    this.subscription = subscription;
    this.bind(subscription);
  }

  joined(): void {
    this.pageDoc.joined();
  }

  left(): void {
    this.pageDoc.left();
  }

  broadcast(event: string, payload: unknown): void {
    this.pageDoc.broadcast(event, payload);
  }

  /** Broadcasts this tab's caret again for new tabs. */
  announce(): void {
    this.pageDoc.announce();
  }

  /** Stops sending. Later edits are not recorded. */
  disconnect(): void {
    this.closed = true;
    this.input.local.end();
    this.pageDoc.mute();
    this.pageDoc.leave();
  }

  /**
   * Replaces this Y.Doc with another one, applies these updates to it, and destroys the previous
   * one after `show` has displayed the new one. Returns false if Yjs failed on the updates.
   */
  replace(doc: Y.Doc, updates: readonly Uint8Array[], show: () => void): boolean {
    const before = this.pageDoc;
    const caret = before.awareness.getLocalState();
    this.pageDoc = new PageDoc(doc, this.freshAwareness(doc, caret));
    this.pageDoc.takeCarets(before);
    const isApplied = this.pageDoc.apply(updates);
    before.leave();
    if (this.subscription && !this.closed) this.bind(this.subscription);
    show();
    if (this.subscription?.state() === "joined") this.pageDoc.joined();
    before.destroy();
    return isApplied;
  }

  destroy(): void {
    this.pageDoc.destroy();
  }

  private bind(subscription: Subscription): void {
    // Edits must be recorded before they are broadcast.
    this.input.local.listen(this.doc);
    this.pageDoc.bind(subscription, this.input);
  }

  private freshAwareness(doc: Y.Doc, state: Record<string, unknown> | null): Awareness {
    const awareness = new Awareness(doc);
    awareness.setLocalState(this.input.mayWrite() ? state : null);
    return awareness;
  }
}
