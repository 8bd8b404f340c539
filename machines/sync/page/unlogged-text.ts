import type * as Y from "yjs";
import type { Clock } from "@/events/core/clock";
import type { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { HeardUpdates } from "@/events/crdt/validation/heard-updates";
import type { Heard } from "@/events/crdt/validation/heard-updates";
import type { Provisional, ProvisionalUpdates } from "@/events/crdt/validation/provisional-updates";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { ContactTime } from "../channel/contact-time";
import type { Whereabouts } from "../channel/document-channel";

/**
 * How long the page shows others' unlogged text, in ms, before it returns to the log's state. Only
 * time in which the log can be read counts.
 */
const provisionalAge = 30_000;
/** The same limit for text whose author is on the channel, because appends can be slow. */
const longestWait = 90_000;
/**
 * Updates received within this time before a rebuild, in ms, are also shown in the new page,
 * because the log may be about to receive them.
 */
const recent = 5_000;

type Input = {
  clock: Clock;
  confirmed: ConfirmedDocument;
  provisional: ProvisionalUpdates;
  /** Whether the author of this client id is on the document's channel. */
  whereabouts(client: number): Whereabouts;
};

/** Others' text that the log lacks and that the page shows for a limited time. */
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

  /** Adds an update that the page already shows because pending edits depend on it. */
  add(update: Uint8Array): void {
    this.input.provisional.add(update, inspectUpdate(update), this.contactTime.now());
  }

  /** Returns the showable updates among a received update and those that waited for it. */
  hear(heard: Heard, doc: Y.Doc): Uint8Array[] {
    return this.showable(this.heard.take(heard, doc));
  }

  /** Returns the updates that were received too early and that the log has made showable. */
  due(doc: Y.Doc): Uint8Array[] {
    return this.showable(this.heard.take(null, doc));
  }

  /** Records a successful read of the log. */
  caughtUp(): void {
    this.contactTime.reached();
  }

  /** Restarts the age of this text, after the page was suspended or could not reach the log. */
  contactLost(): void {
    this.input.provisional.renew(this.contactTime.restart());
  }

  /** Drops the updates that the log holds by now. */
  prune(): void {
    this.input.provisional.prune(this.input.confirmed);
  }

  /** Returns a test for updates shown too long, or null if there are none. */
  expired(): ((entry: Provisional) => boolean) | null {
    const now = this.contactTime.now();
    const isExpired = ({ since, inspected }: Provisional) =>
      since < now - (this.isOnTheWay(inspected) ? longestWait : provisionalAge);
    return this.input.provisional.entries.some(isExpired) ? isExpired : null;
  }

  /** Returns a test for updates that a page rebuilt now does not show. */
  old(): (entry: Provisional) => boolean {
    const young = this.contactTime.now() - recent;
    return ({ since }) => since < young;
  }

  /** Whether every author of an update announces that they will append it. */
  private isOnTheWay({ structs }: InspectedUpdate): boolean {
    return structs.every(({ client }) => this.input.whereabouts(client) === "here");
  }

  /**
   * Returns the received updates that the log does not hold. Otherwise a forgery of logged text
   * could reach the page before the logged text itself.
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
