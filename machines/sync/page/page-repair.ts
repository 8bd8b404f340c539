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

/** Detects that the page shows text that the log does not hold, so that it must be rebuilt. */
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
   * because these updates may have been forged. The page is also marked when the log brought only
   * own edits: the edits of an earlier tab may have been forged before this tab took them over.
   */
  settle(): void {
    this.comparison.logged(this.unlogged.size, this.input.confirmed.anomalies.length);
    this.unlogged.prune();
  }

  /**
   * Returns why the page must be rebuilt from the log, or null if it need not be: an unlogged
   * update has been shown too long, or differs from the logged one. Comparing a long text takes
   * several turns. "unfinished" requests another call, which also compares text that is written,
   * received or logged before it.
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

  /** Returns the comparison of this page with the log, or a new one if a document was replaced. */
  private textsOf(page: Y.XmlFragment): TextComparison {
    const log = this.input.confirmed.doc.getXmlFragment(root);
    if (this.texts?.page !== page || this.texts.log !== log) {
      this.end();
      this.texts = new TextComparison(this.input.clock, page, log);
    }
    return this.texts;
  }
}
