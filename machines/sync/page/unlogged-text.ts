import type * as Y from "yjs";
import { type Clock } from "@/events/core/clock";
import { type ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { type Heard, HeardUpdates } from "@/events/crdt/validation/heard-updates";
import {
  type Provisional,
  type ProvisionalUpdates,
} from "@/events/crdt/validation/provisional-updates";
import { inspectUpdate, type InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { ContactTime } from "../channel/contact-time";
import { type Whereabouts } from "../channel/document-channel";

/**
 * How long others' unlogged text is shown, while the log can be read, before the page goes back to
 * what the log holds.
 */
const provisionalAge = 30_000;
/** The same for text whose author is on the channel: appends can be slow. */
const longestWait = 90_000;
/**
 * What came in this time before the page is built anew is shown in the new one as well: the log may
 * be about to get it.
 */
const recent = 5_000;

type Input = {
  clock: Clock;
  confirmed: ConfirmedDocument;
  provisional: ProvisionalUpdates;
  /** Whether those who write under this client id are on the document's channel. */
  whereabouts(client: number): Whereabouts;
};

/** What others have written and the log lacks, as the page shows it for a while. */
export class UnloggedText {
  private readonly input: Input;
  private readonly heard = new HeardUpdates();
  private readonly contactTime: ContactTime;

  constructor(input: Input) {
    this.input = input;
    this.contactTime = new ContactTime(input.clock);
  }

  get size(): number {
    return this.input.provisional.size;
  }

  /** Takes in what stands on the page already, because one's own edits depend on it. */
  add(update: Uint8Array): void {
    this.input.provisional.add(update, inspectUpdate(update), this.contactTime.now());
  }

  /** Of an update that was heard, and those that wait for it, what can be shown now. */
  hear(heard: Heard, doc: Y.Doc): Uint8Array[] {
    return this.showable(this.heard.take(heard, doc));
  }

  /** Of the updates that were heard too early, what the log has made showable. */
  due(doc: Y.Doc): Uint8Array[] {
    return this.showable(this.heard.take(null, doc));
  }

  /** The log has been read. */
  caughtUp(): void {
    this.contactTime.reached();
  }

  /** The page stood still, or could not reach the log: how long this text has stood is counted anew. */
  contactLost(): void {
    this.input.provisional.renew(this.contactTime.restart());
  }

  /** Lets go of what the log holds by now. */
  prune(): void {
    this.input.provisional.prune(this.input.confirmed);
  }

  /** Says which of it has stood too long; null where none has. */
  expired(): ((entry: Provisional) => boolean) | null {
    const now = this.contactTime.now();
    const isExpired = ({ since, inspected }: Provisional) =>
      since < now - (this.isOnTheWay(inspected) ? longestWait : provisionalAge);
    return this.input.provisional.entries.some(isExpired) ? isExpired : null;
  }

  /** Says what a page that is built anew now does not show. */
  old(): (entry: Provisional) => boolean {
    const young = this.contactTime.now() - recent;
    return ({ since }) => since < young;
  }

  /** Whether those who have written something say that they are going to bring it into the log. */
  private isOnTheWay({ structs }: InspectedUpdate): boolean {
    return structs.every(({ client }) => this.input.whereabouts(client) === "here");
  }

  /**
   * Of what others said, what the log does not hold: a forgery of that might come first to a page
   * that has not taken it in yet.
   */
  private showable(heard: Heard[]): Uint8Array[] {
    const { confirmed, provisional } = this.input;
    return heard.flatMap(({ update, inspected }) => {
      if (confirmed.holds(inspected.structs) && confirmed.deleted(inspected.deletes)) return [];
      provisional.add(update, inspected, this.contactTime.now());
      return [update];
    });
  }
}
