import type * as Y from "yjs";
import type { Clock } from "@/events/core/clock";
import type { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { OwnEdits } from "../log/own-edits";
import { PageComparison } from "./page-comparison";
import { root } from "./page-doc";
import type { RebuildRequest } from "../log/page-rebuild";
import { TextComparison } from "./text-comparison";
import type { UnloggedText } from "./unlogged-text";

type Input = {
  clock: Clock;
  confirmed: ConfirmedDocument;
  own: Pick<OwnEdits, "count">;
  /** Whether the log has acknowledged events that are not read back yet. */
  unread(): boolean;
};

/** Detects that the page shows something that the log does not hold, so that it must be rebuilt. */
export class PageRepair {
  private readonly input: Input;
  private readonly unlogged: UnloggedText;
  private readonly comparison: PageComparison;
  private texts: TextComparison | null = null;
  /** Whether a comparison has started and not finished. */
  private comparing = false;

  constructor(input: Input, unlogged: UnloggedText) {
    this.input = input;
    this.unlogged = unlogged;
    this.comparison = new PageComparison(input.clock);
  }

  /**
   * Drops the unlogged updates that the log holds by now, and marks the page for comparison,
   * because they may have been forged. This also applies when the log brought only own edits: an
   * earlier tab's edits may have been forged before this tab took them over.
   */
  settle(): void {
    this.comparison.logged(this.unlogged.size, this.input.confirmed.anomalies.length);
    this.unlogged.prune();
  }

  /**
   * Why the page must go back to the log: an unlogged update has been shown too long, or differs
   * from what was logged. Null if it need not. Comparing a long text takes several turns:
   * "unfinished" asks for the next call, and whatever is written, received or logged before then
   * counts.
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

  /** The comparison of this page with the log; a new one if either document was replaced. */
  private textsOf(page: Y.XmlFragment): TextComparison {
    const log = this.input.confirmed.doc.getXmlFragment(root);
    if (this.texts?.page !== page || this.texts.log !== log) {
      this.end();
      this.texts = new TextComparison(this.input.clock, page, log);
    }
    return this.texts;
  }
}
