import * as Y from "yjs";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { never } from "@/events/crdt/updates/lifespans";
import { none } from "@/events/history/sequence/token-ids";
import type { Recording } from "@/events/history/timeline/recording";

/**
 * One clock of a Yjs client, with the revisions at which it was written and deleted. `died` is
 * `never` while the unit stands. A unit that was not deleted itself died with its container, before
 * `born` if the container was already gone.
 */
export type LivedUnit = { client: number; clock: number; born: number; died: number };

/**
 * A recorded document with all content that was ever deleted and the revisions of the deletions, as
 * changes that refer to the past need them. The document may be modified and is discarded after
 * use. Its lifespans stay those of the recording.
 */
export class RecordedDocument {
  readonly doc = new Y.Doc({ gc: false });
  private readonly recording: Recording;
  /** The revision at which each list of items died, by the list's token. */
  private readonly deaths = new Map<number, number>();

  /** `state` is the recording's state. */
  constructor(recording: Recording, state = recording.state()) {
    this.recording = recording;
    disableFormattingCleanup(this.doc);
    Y.applyUpdate(this.doc, state);
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment("default");
  }

  /** Makes a change under a fresh client id. Returns its update, or null if it changes nothing. */
  write(clientId: number, change: (transaction: Y.Transaction) => void): Uint8Array | null {
    this.doc.clientID = clientId;
    let made: Uint8Array | null = null;
    const collect = (update: Uint8Array) => (made = update);
    this.doc.on("update", collect);
    this.doc.transact(change);
    this.doc.off("update", collect);
    return made;
  }

  /** Returns the revisions at which a client's clock was written and deleted. */
  lifeOf(client: number, clock: number): LivedUnit {
    const { ids, born } = this.recording.sequence;
    const token = ids.tokenAt(ids.knownNumber(client), clock);
    if (token === none) return { client, clock, born: never, died: never };
    return { client, clock, born: born[token] ?? never, died: this.diedAt(token) };
  }

  private diedAt(token: number): number {
    const { died, parent } = this.recording.sequence;
    const own = died[token] ?? never;
    const list = parent[token] ?? none;
    return own !== never || list === none ? own : this.listDiedAt(list);
  }

  private listDiedAt(list: number): number {
    const known = this.deaths.get(list);
    if (known !== undefined) return known;
    const died = this.diedAt(list);
    this.deaths.set(list, died);
    return died;
  }
}

/** Whether a unit still stands in the text. */
export function stillStands({ died }: Pick<LivedUnit, "died">): boolean {
  return died === never;
}
