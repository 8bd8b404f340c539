import { applyAwarenessUpdate, encodeAwarenessUpdate } from "y-protocols/awareness";
import type { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { reportError } from "@/events/core/error-report";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import type { Subscription } from "@/events/realtime/channel";
import type { Clock, Random } from "@/events/core/clock";
import { documentProvider, remoteOrigin } from "@/events/realtime/document-provider";
import type { DocumentProvider } from "@/events/realtime/document-provider";

/** The key of the document's root fragment. */
export const root = "default";

/** The dependencies of a document on the page that broadcasts on the channel. */
type Speaking = {
  clock: Clock;
  mayWrite(): boolean;
  /** Returns the ms between two broadcasts. 0 sends every keystroke at once. */
  interval(): number;
  /** Called when a caret has appeared or disappeared. */
  typistsChanged(): void;
  /** Returns the updates to apply for an update received by broadcast. */
  accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[];
  /** Called when an update that passed every check broke the document. */
  broken(): void;
};

/** Creates a new document with the log's state and a client id of its own. */
export function confirmedCopy(confirmed: { doc: Y.Doc }, random: Pick<Random, "clientId">): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = random.clientId();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(confirmed.doc), remoteOrigin);
  return doc;
}

/** A Y.Doc on the page, with its carets and its channel provider, until another one replaces it. */
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
   * Whether the document's caret and letters have the same client id. Yjs changes a document's
   * client id when another writer uses the same one.
   */
  get isWhole(): boolean {
    return this.doc.clientID === this.awareness.clientID;
  }

  /** Starts to send and receive on the channel. */
  bind(subscription: Subscription, { typistsChanged, ...speaking }: Speaking): void {
    disableFormattingCleanup(this.doc);
    // A client whose earlier state was null counts as updated and not as added, so every change is
    // observed.
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

  /** Broadcasts this tab's caret again for new tabs. */
  announce(): void {
    this.provider?.announce();
  }

  /** Takes over the carets of the previous document. */
  takeCarets(before: PageDoc): void {
    const others = [...before.awareness.getStates().keys()].filter(
      (client) => client !== before.awareness.clientID,
    );
    const carets = encodeAwarenessUpdate(before.awareness, others);
    applyAwarenessUpdate(this.awareness, carets, remoteOrigin);
  }

  /** Applies updates in one transaction. Returns false if Yjs failed on them. */
  apply(updates: readonly Uint8Array[]): boolean {
    if (updates.length === 0) return true;
    try {
      this.doc.transact(() => {
        for (const update of updates) Y.applyUpdate(this.doc, update, remoteOrigin);
      }, remoteOrigin);
      return true;
    } catch (error) {
      // The page is half changed. It is rebuilt from the log, which accepted the same update.
      reportError(error, { during: "showing updates", kind: "tolerated" });
      return false;
    }
  }

  /** Leaves the channel. */
  leave(): void {
    this.provider?.destroy();
  }

  /** Stops reporting caret changes. */
  mute(): void {
    this.silent = true;
  }

  destroy(): void {
    this.awareness.destroy();
    this.doc.destroy();
  }
}
