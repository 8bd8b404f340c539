import * as Y from "yjs";
import { type ValidationRow } from "@/events/crdt/validation/validation";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { never } from "@/events/crdt/updates/lifespans";
import { ItemLifespans } from "./item-lifespans";

/**
 * A copy of a recorded document that may be changed, and what is known of all that was ever written
 * in it.
 */
export type WritableCopy = Pick<RecordedDocument, "fragment" | "lifeOf"> & {
  /** Makes a change under a fresh client id, and answers the update that makes it; null if it changes nothing. */
  write(clientId: number, change: (transaction: Y.Transaction) => void): Uint8Array | null;
};

/** A tick of a Yjs client, and the revisions between which it stood in the text; `died` is `never` while it does. */
export type LivedUnit = { client: number; clock: number; born: number; died: number };

/**
 * A document with everything that was ever deleted from it, and when: what acting on the past needs beside showing it.
 * Its revisions are those of the timeline of the same rows. It is folded from the log alone and thrown away after use.
 */
export class RecordedDocument {
  readonly doc = new Y.Doc({ gc: false });
  private readonly confirmed = new ConfirmedDocument(null);
  private readonly lives = new ItemLifespans();
  /** The newest revision; -1 before the first. */
  private revision = -1;

  constructor() {
    disableFormattingCleanup(this.doc);
    this.doc.on("afterTransaction", (transaction: Y.Transaction) => {
      const now = this.revision;
      for (const [client, end] of transaction.afterState) {
        const start = transaction.beforeState.get(client) ?? 0;
        if (end > start) this.lives.bear(client, start, end - start, now);
      }
      for (const [client, ranges] of transaction.deleteSet.clients) {
        for (const { clock, len } of ranges) this.lives.bury(client, clock, len, now);
      }
    });
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment("default");
  }

  get version(): number {
    return this.confirmed.version;
  }

  /** Takes the next event in, by the rule that every reader follows. */
  take(row: ValidationRow): void {
    const edits = this.confirmed.integrate(row);
    if (edits.length === 0) this.revision += 1;
    for (const { update } of edits) {
      this.revision += 1;
      Y.applyUpdate(this.doc, update);
    }
  }

  /** A copy to be changed and thrown away: the record itself stays as the log tells it. */
  copy(): WritableCopy & { doc: Y.Doc } {
    const doc = new Y.Doc({ gc: false });
    disableFormattingCleanup(doc);
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(this.doc));
    return {
      doc,
      fragment: doc.getXmlFragment("default"),
      lifeOf: (client, clock) => this.lifeOf(client, clock),
      write(clientId, change) {
        doc.clientID = clientId;
        let made: Uint8Array | null = null;
        const collect = (update: Uint8Array) => (made = update);
        doc.on("update", collect);
        doc.transact(change);
        doc.off("update", collect);
        return made;
      },
    };
  }

  /** When a tick of a client came and went. */
  lifeOf(client: number, clock: number): LivedUnit {
    return {
      client,
      clock,
      born: this.lives.born(client, clock),
      died: this.lives.died(client, clock),
    };
  }
}

/** Whether something still stands in the text. */
export function stillStands({ died }: Pick<LivedUnit, "died">): boolean {
  return died === never;
}
