import { reportError } from "@/events/core/error-report";
import { applyAwarenessUpdate, Awareness, encodeAwarenessUpdate } from "y-protocols/awareness";
import * as Y from "yjs";
import { type Subscription } from "@/events/realtime/channel";
import { type Clock, type Random } from "@/events/core/clock";
import {
  documentProvider,
  remoteOrigin,
  type DocumentProvider,
} from "@/events/realtime/document-provider";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { type Heard, HeardUpdates } from "@/events/crdt/validation/heard-updates";
import { type Provisional, ProvisionalUpdates } from "@/events/crdt/validation/provisional-updates";
import { deletionOf } from "@/events/crdt/updates/deletion";
import { type ClientRebase } from "@/events/crdt/updates/client-rebase";
import { inspectUpdate, type InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { ContactTime } from "./contact-time";
import { type Whereabouts } from "./document-channel";
import { type DraftDocument } from "./draft-document";
import { type LogReader } from "./log-reader";
import { type PendingEdits } from "./pending-edits";
import { type RebuildRequest } from "./page-rebuild";
import { PageRebuilds } from "./page-rebuilds";
import { type PageView } from "./page-view";

/** How long others' unlogged text is shown, while the log can be read, before the page goes back to what the log holds. */
const provisionalAge = 30_000;
/** The same for text whose author is on the channel: appends can be slow. */
const longestWait = 90_000;
/** What came in this time before the page is built anew is shown in the new one as well: the log may be about to get it. */
const recent = 5_000;
/** How often at most the page is compared with the log, which takes as long as the text is. */
const comparisonEvery = 10_000;
/** The name under which a document holds its text. */
export const root = "default";
/** The origin of deletions that were put off until the log brought what they delete. */
const deferredOrigin = "deferred";

type PageInput = {
  userId: string;
  clock: Clock;
  random: Random;
  reader: LogReader;
  pending: PendingEdits;
  mayWrite(): boolean;
  /** Hears what was written here. */
  typed(update: Uint8Array): void;
  /** Milliseconds between two broadcasts; 0 sends every letter at once. */
  interval(): number;
  /** Somebody's caret has come or gone: the interval may be another. */
  typistsChanged(): void;
  /** Another Y.Doc stands in the place of the one before. */
  replaced(): void;
  /** Whether the log lacks anything of this tab, or has not been read as far as it has acknowledged that. */
  unsaved(): boolean;
  whereabouts(client: number): Whereabouts;
  /** A rebuild that turned out not to be needed, or is done: whatever waited for it may go on. */
  rebuilt(): void;
  /** What is open already, to be shown instead of another. */
  draft?: Pick<DraftDocument, "doc" | "awareness"> | null;
};

/** The text as this tab shows it: the log, one's own edits, and for a while what others have not logged yet. */
export class LivePage {
  doc: Y.Doc;
  awareness: Awareness;
  readonly provisional = new ProvisionalUpdates();
  private readonly input: PageInput;
  private readonly heard = new HeardUpdates();
  private flagged = 0;
  private subscription: Subscription | null = null;
  private provider: DocumentProvider | null = null;
  private view: PageView | null = null;
  readonly rebuilds: PageRebuilds;
  private readonly contactTime: ContactTime;
  private suspect = false;
  private nextComparison = 0;
  private closed = false;

  constructor(input: PageInput) {
    this.input = input;
    this.contactTime = new ContactTime(input.clock);
    this.rebuilds = new PageRebuilds({
      ...input,
      provisional: this.provisional,
      root,
      settle: () => this.view?.settle() ?? null,
      exchange: (made) => this.exchange(made),
      done: () => input.rebuilt(),
    });
    this.doc = input.draft?.doc ?? this.freshDoc();
    this.awareness = input.draft?.awareness ?? this.freshAwareness(null);
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment(root);
  }

  /** Begins to speak and to hear on the document's channel. */
  connect(subscription: Subscription): void {
    this.subscription = subscription;
    this.provider = this.bind(subscription);
  }

  joined(): void {
    this.provider?.joined();
  }

  left(): void {
    this.provider?.left();
  }

  broadcast(event: string, payload: unknown): void {
    this.provider?.broadcast(event, payload);
  }

  /** Says this tab's caret again, for those who have just come. */
  announce(): void {
    this.provider?.announce();
  }

  /** Falls silent; what is written from now on is nobody's. */
  disconnect(): void {
    this.closed = true;
    this.provider?.destroy();
  }

  destroy(): void {
    this.rebuilds.end();
    this.view = null;
    this.awareness.destroy();
    this.doc.destroy();
  }

  /** Takes in somebody else's update that the log lacks. */
  hearUnlogged(update: Uint8Array): void {
    this.provisional.add(update, inspectUpdate(update), this.contactTime.now());
  }

  /** Who shows the text from now on; answers the function that ends it. */
  show(view: PageView): () => void {
    this.view = view;
    return () => {
      if (this.view === view) this.view = null;
    };
  }

  /** The page stood still, or could not reach the log: how long others' text has stood is counted anew. */
  lostTouch(): void {
    this.provisional.renew(this.contactTime.restart());
  }

  /** The log has been read. */
  caughtUp(): void {
    this.contactTime.reached();
  }

  /** Shows what the log has brought of others; false if the page must be made anew. */
  showLogged(updates: Uint8Array[]): boolean {
    const applied =
      this.applyRemote(updates) && this.applyRemote(this.showable(this.heard.take(null, this.doc)));
    this.settleUnlogged();
    // Yjs gives up a client id that it meets in what somebody else wrote; the caret must go with it.
    return applied && this.doc.clientID === this.awareness.clientID;
  }

  /**
   * Lets go of what the log holds by now; what stood there before may have been forged, so the page is to be compared. Also
   * when the log brought only one's own: what an earlier tab wrote may have been forged before this one took it over.
   */
  settleUnlogged(): void {
    const { flags } = this.input.reader.confirmed;
    // What the log's readers leave out may be what was written here.
    if (this.provisional.size > 0 || flags.length !== this.flagged) this.suspect = true;
    this.flagged = flags.length;
    this.provisional.prune(this.input.reader.confirmed);
  }

  /** Brings updates into the page in one step; false if Yjs failed on them. */
  applyRemote(updates: Uint8Array[]): boolean {
    if (updates.length === 0) return true;
    try {
      this.doc.transact(() => {
        for (const update of updates) Y.applyUpdate(this.doc, update, remoteOrigin);
      }, remoteOrigin);
      return true;
    } catch (error) {
      // The page is half changed; it is made anew from the log, which passed the same update before.
      reportError(error, { during: "showing updates", kind: "tolerated" });
      return false;
    }
  }

  /** Deletes what was deleted before the log had it. */
  sayDeferred(): void {
    const { pending, reader } = this.input;
    if (!this.input.mayWrite()) return;
    const ready = pending.takeDeferred((range) => reader.confirmed.holds([range]));
    if (ready.length === 0) return;
    Y.applyUpdate(this.doc, deletionOf(ready), deferredOrigin);
  }

  /** Goes back to what the log holds when somebody's unlogged text has stood too long or was not what was logged. */
  heal(): void {
    if (this.rebuilds.active || this.input.unsaved()) return;
    const now = this.contactTime.now();
    const expired = ({ since, inspected }: Provisional) =>
      since < now - (this.isOnTheWay(inspected) ? longestWait : provisionalAge);
    if (this.provisional.entries.some(expired)) return this.replace({ forget: expired });
    const time = this.input.clock.elapsed();
    if (!this.suspect || this.provisional.size > 0 || time < this.nextComparison) return;
    this.suspect = false;
    this.nextComparison = time + comparisonEvery;
    if (
      this.fragment.toString() !== this.input.reader.confirmed.doc.getXmlFragment(root).toString()
    )
      this.replace();
  }

  /** Whether those who have written something say that they are going to bring it into the log. */
  private isOnTheWay({ structs }: InspectedUpdate): boolean {
    return structs.every(({ client }) => this.input.whereabouts(client) === "here");
  }

  /**
   * Puts another Y.Doc in the place of this one: the log, one's own edits that may be appended as they are, and the others,
   * made again under a new client id without what nobody has logged. What has no place is put aside. It takes several turns
   * where there is much to do, or while something is being composed; until then everything goes on in the old one.
   */
  replace(request: RebuildRequest = {}): void {
    const young = this.contactTime.now() - recent;
    this.rebuilds.ask({ forget: ({ since }) => since < young, ...request });
  }

  private exchange(made: ClientRebase): void {
    const { pending } = this.input;
    pending.orphan(made.orphaned);
    pending.replace(
      made.replaced,
      made.remade,
      made.deferred,
      made.deferred.length > 0 ? deletionOf(made.deferred) : null,
    );
    const before = { doc: this.doc, awareness: this.awareness, provider: this.provider };
    made.doc.gc = true;
    this.doc = made.doc;
    this.awareness = this.freshAwareness(before.awareness.getLocalState());
    const carets = [...before.awareness.getStates().keys()].filter(
      (client) => client !== before.awareness.clientID,
    );
    applyAwarenessUpdate(
      this.awareness,
      encodeAwarenessUpdate(before.awareness, carets),
      remoteOrigin,
    );
    const whole = this.applyRemote(
      this.provisional.placeable((client) => Y.getState(this.doc.store, client)),
    );
    before.provider?.destroy();
    if (this.subscription && !this.closed) this.provider = this.bind(this.subscription);
    this.view?.rebind({
      doc: this.doc,
      fragment: this.fragment,
      awareness: this.awareness,
      find: (range) => made.find(range),
    });
    if (this.subscription?.state() === "joined") this.provider?.joined();
    made.destroy();
    before.awareness.destroy();
    before.doc.destroy();
    this.input.replaced();
    // What others have not logged may have broken the new page as well.
    if (!whole) this.replace({ forget: () => true });
  }

  private bind(subscription: Subscription): DocumentProvider {
    disableFormattingCleanup(this.doc);
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== remoteOrigin && this.input.mayWrite() && !this.closed)
        this.input.typed(update);
    });
    // Whoever writes for the first time counts as changed there, not as added: every change is looked at.
    this.awareness.on("change", () => {
      if (!this.closed) this.input.typistsChanged();
    });
    return documentProvider({
      doc: this.doc,
      awareness: this.awareness,
      subscription,
      clock: this.input.clock,
      mayWrite: () => this.input.mayWrite(),
      accept: (update, inspected) => this.accept(update, inspected),
      broken: () => this.replace({ forget: () => true }),
      interval: () => this.input.interval(),
    });
  }

  private freshDoc(): Y.Doc {
    const doc = new Y.Doc();
    doc.clientID = this.input.random.clientId();
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(this.input.reader.confirmed.doc), remoteOrigin);
    return doc;
  }

  private freshAwareness(state: Record<string, unknown> | null): Awareness {
    const awareness = new Awareness(this.doc);
    awareness.setLocalState(this.input.mayWrite() ? state : null);
    return awareness;
  }

  private accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[] {
    // Nobody else speaks under this tab's client id; whoever does would make Yjs take its own next letters for known.
    if (inspected.structs.some(({ client }) => this.mine(client))) return [];
    return this.showable(this.heard.take({ update, inspected }, this.doc));
  }

  /** Of what others said, what the log does not hold: a forgery of that might come first to a page that has not taken it in yet. */
  private showable(heard: Heard[]): Uint8Array[] {
    const { confirmed } = this.input.reader;
    return heard.flatMap(({ update, inspected }) => {
      if (confirmed.holds(inspected.structs) && confirmed.deleted(inspected.deletes)) return [];
      this.provisional.add(update, inspected, this.contactTime.now());
      return [update];
    });
  }

  private mine(client: number): boolean {
    return client === this.doc.clientID || this.input.pending.speaksAs(client);
  }
}
