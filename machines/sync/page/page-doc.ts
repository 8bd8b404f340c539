import { applyAwarenessUpdate, type Awareness, encodeAwarenessUpdate } from "y-protocols/awareness";
import * as Y from "yjs";
import { reportError } from "@/events/core/error-report";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { type InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { type Subscription } from "@/events/realtime/channel";
import { type Clock, type Random } from "@/events/core/clock";
import {
  documentProvider,
  remoteOrigin,
  type DocumentProvider,
} from "@/events/realtime/document-provider";

/** The name under which a document holds its text. */
export const root = "default";

/** What a document on the page needs to speak on the channel. */
type Speaking = {
  clock: Clock;
  mayWrite(): boolean;
  /** Milliseconds between two broadcasts; 0 sends every letter at once. */
  interval(): number;
  /** Somebody's caret has come or gone. */
  typistsChanged(): void;
  /** Of an update that came by broadcast, what is to be applied. */
  accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[];
  /** An update that passed every check broke the document. */
  broken(): void;
};

/** A new document that holds what the log holds, under a client id of its own. */
export function confirmedCopy(confirmed: { doc: Y.Doc }, random: Pick<Random, "clientId">): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = random.clientId();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(confirmed.doc), remoteOrigin);
  return doc;
}

/** A Y.Doc that stands on the page, with its carets and its voice on the channel, until another takes its place. */
export class PageDoc {
  readonly doc: Y.Doc;
  readonly awareness: Awareness;
  private provider: DocumentProvider | null = null;
  private silent = false;

  constructor(doc: Y.Doc, awareness: Awareness) {
    this.doc = doc;
    this.awareness = awareness;
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment(root);
  }

  /**
   * Whether its caret and its letters have the same author; Yjs gives up a client id that it meets
   * in what somebody else wrote.
   */
  get isWhole(): boolean {
    return this.doc.clientID === this.awareness.clientID;
  }

  /** Begins to speak and to hear on the channel. */
  bind(subscription: Subscription, { typistsChanged, ...speaking }: Speaking): void {
    disableFormattingCleanup(this.doc);
    // Whoever writes for the first time counts as changed there, not as added: every change is looked at.
    this.awareness.on("change", () => {
      if (!this.silent) typistsChanged();
    });
    const { doc, awareness } = this;
    this.provider = documentProvider({ ...speaking, doc, awareness, subscription });
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

  /** Takes over the carets of the document before. */
  takeCarets(before: PageDoc): void {
    const others = [...before.awareness.getStates().keys()].filter(
      (client) => client !== before.awareness.clientID,
    );
    const carets = encodeAwarenessUpdate(before.awareness, others);
    applyAwarenessUpdate(this.awareness, carets, remoteOrigin);
  }

  /** Brings updates into the document in one step; false if Yjs failed on them. */
  apply(updates: readonly Uint8Array[]): boolean {
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

  /** Falls silent. */
  leave(): void {
    this.provider?.destroy();
  }

  /** Tells nobody of carets any more. */
  mute(): void {
    this.silent = true;
  }

  destroy(): void {
    this.awareness.destroy();
    this.doc.destroy();
  }
}
