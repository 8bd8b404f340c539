import type * as Y from "yjs";
import { type Clock } from "@/events/core/clock";
import { type ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { type OwnEdits } from "../log/own-edits";
import { PageComparison } from "./page-comparison";
import { root } from "./page-doc";
import { type RebuildRequest } from "../log/page-rebuild";
import { TextComparison } from "./text-comparison";
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
  private texts: TextComparison | null = null;
  /** Whether a comparison has begun and its end is still to come. */
  private comparing = false;

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
   * Why this page is to go back to what the log holds: somebody's unlogged text has stood too long,
   * or was not what was logged; null where it need not. Comparing the two takes several turns where
   * there is much text: "unfinished" asks for the next, and what is written, heard or logged before
   * it counts.
   */
  due(page: Y.XmlFragment): RebuildRequest | "unfinished" | null {
    const { own, unread } = this.input;
    if (own.count > 0 || unread()) return null;
    const expired = this.unlogged.expired();
    if (expired) return { reason: "unlogged-too-long", forget: expired };
    if (this.unlogged.size > 0) return null;
    this.comparing ||= this.comparison.isDue();
    if (!this.comparing) return null;
    const likeness = this.textsOf(page).advance();
    if (likeness === "unfinished") return likeness;
    this.comparing = false;
    return likeness === "same" ? null : { reason: "unlike-log" };
  }

  end(): void {
    this.texts?.end();
    this.texts = null;
  }

  /** The comparison of this page with the log, begun anew where one of them is another document. */
  private textsOf(page: Y.XmlFragment): TextComparison {
    const log = this.input.confirmed.doc.getXmlFragment(root);
    if (this.texts?.page !== page || this.texts.log !== log) {
      this.end();
      this.texts = new TextComparison(this.input.clock, page, log);
    }
    return this.texts;
  }
}
