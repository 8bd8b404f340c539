import * as Y from "yjs";
import { type AdmissionRow } from "@/events/crdt/validation/admission";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { never } from "@/events/crdt/updates/lifespans";
import { TickLives } from "./tick-lives";

/** A tick of a Yjs client, and the moments between which it stood in the text; `died` is `never` while it does. */
export type LivedUnit = { client: number; clock: number; born: number; died: number };

/**
 * A document with everything that was ever deleted from it, and when: what acting on the past needs beside showing it.
 * Its moments are those of the timeline of the same rows. It is folded from the log alone and thrown away after use.
 */
export class RecordedDocument {
  readonly doc = new Y.Doc({ gc: false });
  private readonly confirmed = new ConfirmedDocument(null);
  private readonly lives = new TickLives();
  private readonly actors: string[] = [];
  private readonly versions: number[] = [];

  constructor() {
    this.doc.on("afterTransaction", (transaction: Y.Transaction) => {
      transaction._needFormattingCleanup = false;
      const now = this.moment;
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

  /** The newest moment; -1 before the first. */
  get moment(): number {
    return this.actors.length - 1;
  }

  get version(): number {
    return this.confirmed.version;
  }

  /** The user who acted at a moment. */
  actorOf(moment: number): string {
    return this.actors[moment] ?? "";
  }

  /** The version of the event that a moment belongs to. */
  versionOf(moment: number): number {
    return this.versions[moment] ?? 0;
  }

  /** Takes the next event in, by the rule that every reader follows. */
  take(row: AdmissionRow): void {
    const edits = this.confirmed.integrate(row);
    if (edits.length === 0) this.begin(row.actorId, row.version);
    for (const { update } of edits) {
      this.begin(row.actorId, row.version);
      Y.applyUpdate(this.doc, update);
    }
  }

  /** Makes a change under a fresh client id as one more moment, and answers the update that makes it; null if it changes nothing. */
  write(
    actorId: string,
    clientId: number,
    change: (transaction: Y.Transaction) => void,
  ): Uint8Array | null {
    this.doc.clientID = clientId;
    this.begin(actorId, this.version + 1);
    let made: Uint8Array | null = null;
    const keep = (update: Uint8Array) => (made = update);
    this.doc.on("update", keep);
    this.doc.transact(change);
    this.doc.off("update", keep);
    return made;
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

  private begin(actorId: string, version: number): void {
    this.actors.push(actorId);
    this.versions.push(version);
  }
}

/** Whether something still stands in the text. */
export function stillStands({ died }: Pick<LivedUnit, "died">): boolean {
  return died === never;
}
