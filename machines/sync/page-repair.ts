import { type Clock } from "@/events/core/clock";
import { type ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { type OwnEdits } from "./own-edits";
import { PageComparison } from "./page-comparison";
import { root } from "./page-doc";
import { type RebuildRequest } from "./page-rebuild";
import { type UnloggedText } from "./unlogged-text";

type Input = {
  clock: Clock;
  confirmed: ConfirmedDocument;
  own: Pick<OwnEdits, "count">;
  /** Whether the log has acknowledged more than has been read of it. */
  unread(): boolean;
};

/**
 * Finds out when the page shows what the log does not hold, so that it is to be made anew from it.
 */
export class PageRepair {
  private readonly input: Input;
  private readonly unlogged: UnloggedText;
  private readonly comparison: PageComparison;

  constructor(input: Input, unlogged: UnloggedText) {
    this.input = input;
    this.unlogged = unlogged;
    this.comparison = new PageComparison(input.clock);
  }

  /**
   * Lets go of what the log holds by now; what stood there before may have been forged, so the page
   * is to be compared. Also when the log brought only one's own: what an earlier tab wrote may have
   * been forged before this one took it over.
   */
  settle(): void {
    this.comparison.logged(this.unlogged.size, this.input.confirmed.anomalies.length);
    this.unlogged.prune();
  }

  /**
   * Why the page with this text is to go back to what the log holds: somebody's unlogged text has
   * stood too long, or was not what was logged; null where it need not.
   */
  due(text: () => string): RebuildRequest | null {
    const { own, unread, confirmed } = this.input;
    if (own.count > 0 || unread()) return null;
    const expired = this.unlogged.expired();
    if (expired) return { reason: "unlogged-too-long", forget: expired };
    if (this.unlogged.size > 0 || !this.comparison.isDue()) return null;
    return text() === confirmed.doc.getXmlFragment(root).toString()
      ? null
      : { reason: "unlike-log" };
  }
}
