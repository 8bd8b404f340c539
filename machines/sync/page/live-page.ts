import * as Y from "yjs";
import type { Clock, Random } from "@/events/core/clock";
import type { Ruled } from "@/events/core/envelope";
import type { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { ProvisionalUpdates } from "@/events/crdt/validation/provisional-updates";
import { deletionOf } from "@/events/crdt/updates/deletion";
import type { ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { ComposedText } from "../composing/composed-text";
import { CurrentPageDoc } from "./current-page-doc";
import type { Whereabouts } from "../channel/document-channel";
import type { DraftDocument } from "../device/draft-document";
import type { LogRollbacks } from "./log-rollbacks";
import type { OwnEdits } from "../log/own-edits";
import { confirmedCopy, root } from "./page-doc";
import type { RebuildRequest } from "../log/page-rebuild";
import { PageRebuilds } from "../log/page-rebuilds";
import { PageRepair } from "./page-repair";
import { pageSteps } from "./page-steps";
import type { Composition, PageView } from "../device/page-view";
import type { LogReading } from "../channel/reading";
import { UnloggedText } from "./unlogged-text";

/** The origin of deletions that waited until the log had their target. */
const deferredOrigin = "deferred";

type Input = {
  userId: string;
  clock: Clock;
  random: Random;
  confirmed: ConfirmedDocument;
  provisional: ProvisionalUpdates;
  rollbacks: Pick<LogRollbacks, "take">;
  own: OwnEdits;
  /** Records the editor's writes into the page's document. */
  local: { listen(doc: Y.Doc): void; end(): void };
  mayWrite(): boolean;
  /** Whether the log has acknowledged events that are not read back yet. */
  unread(): boolean;
  whereabouts(client: number): Whereabouts;
  /** Returns the ms between two broadcasts. 0 sends every keystroke at once. */
  interval(): number;
  /** Called when a caret has appeared or disappeared, which may change the interval. */
  typistsChanged(): void;
  /** Called when the page has switched to another Y.Doc. */
  replaced(): void;
  /** Called when the number of unsaved edits may have changed, after rows of the log were shown. */
  counted(): void;
  /** Called when there are edits to send, or when a rebuild no longer blocks sending. */
  edited(): void;
  /** Called when the log has lost rows that were already read. */
  rolledBack(): void;
  /** Called with rows of the log once they are shown. */
  rows(rows: Ruled[]): void;
  /** A draft that is already open, whose document is shown instead of a new one. */
  draft?: Pick<DraftDocument, "doc" | "awareness"> | null;
};

/**
 * The last stage of a keystroke: the text as this tab shows it. It consists of the log, this tab's
 * pending edits and, for a limited time, others' unlogged updates.
 */
export class LivePage {
  readonly rebuilds: PageRebuilds;
  /** The page's Y.Doc, on the document's channel. */
  readonly current: CurrentPageDoc;
  private readonly input: Input;
  private readonly unlogged: UnloggedText;
  private readonly repair: PageRepair;
  private readonly composed: ComposedText;
  private view: PageView | null = null;
  private cancelHealing = () => {};
  private ended = false;

  constructor(input: Input) {
    this.input = input;
    this.unlogged = new UnloggedText(input);
    this.repair = new PageRepair(input, this.unlogged);
    this.composed = new ComposedText({
      clock: input.clock,
      doc: () => this.current.doc,
      view: () => this.view,
      release: (composition) => input.own.release(composition),
      show: (updates) => this.showAwaiting(updates),
    });
    this.rebuilds = new PageRebuilds({
      ...input,
      root,
      old: () => this.unlogged.old(),
      settle: () => this.settle(),
      exchange: (made) => this.exchange(made),
      done: () => input.edited(),
    });
    const draft = input.draft ?? { doc: confirmedCopy(input.confirmed, input.random) };
    this.current = new CurrentPageDoc(
      {
        ...input,
        accept: (update, inspected) => this.accept(update, inspected),
        broken: () => this.rebuild({ reason: "not-applied", forget: () => true }),
      },
      draft,
    );
  }

  /** The number of others' updates that the page shows and the log lacks. */
  get othersUnlogged(): number {
    return this.unlogged.size;
  }

  destroy(): void {
    this.ended = true;
    this.cancelHealing();
    this.composed.stop();
    this.repair.end();
    this.rebuilds.end();
    this.view = null;
    this.current.destroy();
  }

  /** Sets the view that shows the text. Returns the function that ends it. */
  show(view: PageView): () => void {
    this.view = view;
    this.composed.begin();
    return () => {
      if (this.view === view) this.view = null;
    };
  }

  /** Called on each local edit. Returns the composition that the edit belongs to. */
  typed(): Composition | null {
    return this.composed.typed();
  }

  /** Restarts the age of unlogged text after the page was suspended or could not reach the log. */
  contactLost(): void {
    this.unlogged.contactLost();
  }

  /**
   * Shows a read of the log. A small read is shown in one turn, and a large one in steps with input
   * and painting in between. Between steps the text is partly the earlier one and partly the log's.
   */
  async take({ rows, accepted, refolded, stateBefore }: LogReading): Promise<void> {
    const { own, counted } = this.input;
    this.unlogged.caughtUp();
    if (stateBefore) return this.rollBack(rows, stateBefore);
    const mine = new Set<number>();
    for (const row of rows) if (own.acknowledge(row.id)) mine.add(row.version);
    const foreign = accepted.filter(({ version }) => !mine.has(version));
    // Rows that are not shown yet do not count as a difference from the log.
    this.cancelHealing();
    let isApplied = true;
    let isFirst = true;
    for (const step of pageSteps(foreign, () => this.current.fragment)) {
      if (!isFirst) await new Promise<void>((resolve) => this.input.clock.after(0, resolve));
      if (this.ended) return;
      isFirst = false;
      isApplied = this.display(step) && isApplied;
    }
    const isShown = this.endShowing() && isApplied;
    if (rows.length > 0) counted();
    if (refolded || !isShown) this.rebuild({ reason: refolded ? "refolded" : "not-applied" });
    const bindOthers = (row: Ruled) =>
      row.actorId !== this.input.userId && row.clientIds.length > 0;
    if (rows.some(bindOthers)) this.rebuildTaken();
    this.recoverOrphaned();
    this.makeDeferred();
    this.heal();
    if (rows.length > 0) this.input.rows(rows);
  }

  /** Shows the leftovers of an earlier tab: its own edits and their dependencies. */
  showLeftovers(dependencies: readonly Uint8Array[]): void {
    for (const update of dependencies) this.unlogged.add(update);
    const own = this.input.own.unacknowledged.map(({ update }) => update);
    this.display([...dependencies, ...own]);
    this.rebuildTaken();
  }

  /**
   * Rebases pending edits whose client id the log has bound to another account. Yjs takes these
   * edits for that account's text and shows none of them.
   */
  private rebuildTaken(): void {
    const { confirmed, own, userId } = this.input;
    const isTaken = ({ client }: { client: number }) =>
      ![null, userId].includes(confirmed.ownerOf(client));
    const again = own.unacknowledged;
    if (again.some(({ inspected }) => inspected.structs.some(isTaken)))
      this.rebuild({ reason: "client-id-taken", again });
  }

  /** Drops the unlogged updates that the log holds by now. */
  settleUnlogged(): void {
    this.repair.settle();
  }

  /**
   * Replaces the Y.Doc with one made of the log, the pending edits that can be appended as they
   * are, and the other pending edits rebased under a new client id without unlogged text. Edits
   * that cannot be placed are orphaned. A large rebuild, or one during a composition, takes several
   * turns, and the old page stays in use until then.
   */
  rebuild(request: RebuildRequest): void {
    this.rebuilds.ask(request);
  }

  /** Shows the updates that waited for the log. Returns false if the page must be rebuilt. */
  private endShowing(): boolean {
    const isShown = this.display(this.unlogged.due(this.current.doc));
    this.settleUnlogged();
    // The caret and the letters must have the same client id.
    return isShown && this.current.isWhole;
  }

  /**
   * Shows the log's state after an older backup replaced the log, and sends again the edits of this
   * tab that the log has lost.
   */
  private rollBack(rows: Ruled[], stateBefore: Uint8Array): void {
    this.input.rollbacks.take(rows, stateBefore);
    this.input.rolledBack();
    this.rebuild({ reason: "log-rolled-back", besides: stateBefore });
    this.recoverOrphaned();
    this.input.edited();
    this.input.rows(rows.slice(-1));
  }

  /** Shows and sends orphaned edits whose dependency has arrived since. */
  private recoverOrphaned(): void {
    const updates = this.input.own.recover();
    if (updates.length === 0) return;
    this.display(updates);
    this.input.edited();
  }

  /** Makes the deferred deletions whose target the log has by now. */
  private makeDeferred(): void {
    const { own, confirmed, mayWrite } = this.input;
    if (!mayWrite()) return;
    const ready = own.takeDeferred((range) => confirmed.holds([range]));
    if (ready.length === 0) return;
    Y.applyUpdate(this.current.doc, deletionOf(ready), deferredOrigin);
  }

  /** Rebuilds the page from the log if the page shows something else. */
  private heal(): void {
    const { clock, confirmed } = this.input;
    this.cancelHealing();
    // Updates that wait for a composition do not count as a difference from the log.
    if (this.composed.isAwaited) return;
    const request = this.rebuilds.active ? null : this.repair.due(this.current.fragment);
    if (request && request !== "unfinished") this.rebuild(request);
    if (request !== "unfinished") return;
    const { version } = confirmed;
    this.cancelHealing = clock.after(0, () => {
      // If rows were folded meanwhile, the comparison continues when they are shown.
      if (confirmed.version === version) this.heal();
    });
  }

  private exchange(made: ClientRebase): void {
    const { own, provisional } = this.input;
    own.orphan(made.orphaned);
    own.replace(
      made.replaced,
      made.remade,
      made.deferred,
      made.deferred.length > 0 ? deletionOf(made.deferred) : null,
    );
    made.doc.gc = true;
    // The new page has these updates from the log and from the provisional updates.
    this.composed.clear();
    const others = provisional.placeable((client) => Y.getState(made.doc.store, client));
    const isShown = this.current.replace(made.doc, others, () =>
      this.view?.rebind({
        doc: this.current.doc,
        fragment: this.current.fragment,
        awareness: this.current.awareness,
        find: (range) => made.find(range),
      }),
    );
    made.destroy();
    this.input.replaced();
    // Others' unlogged updates may have broken the new page too.
    if (!isShown) this.rebuild({ reason: "not-applied", forget: () => true });
  }

  private accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[] {
    // Only this tab may write under its client ids. Accepting a forged update would make Yjs
    // discard this tab's own next letters as already known.
    const isMine = (client: number) =>
      client === this.current.doc.clientID || this.input.own.speaksAs(client);
    if (inspected.structs.some(({ client }) => isMine(client))) return [];
    return this.composed.pass(this.unlogged.hear({ update, inspected }, this.current.doc));
  }

  /**
   * Applies others' updates, except those that wait for a composition. Returns false if Yjs failed.
   */
  private display(updates: readonly Uint8Array[]): boolean {
    return this.current.apply(this.composed.pass(updates));
  }

  /** Shows the updates that waited for a composition. */
  private showAwaiting(updates: readonly Uint8Array[]): void {
    const isApplied = this.current.apply(updates);
    if (!this.endShowing() || !isApplied) this.rebuild({ reason: "not-applied" });
    this.heal();
  }

  /**
   * Reads all typed input. While a composition is open, returns a promise that resolves when the
   * caller should call again.
   */
  private settle(): Promise<void> | null {
    const busy = this.view?.settle() ?? null;
    if (busy === null) this.input.own.release();
    return busy;
  }
}
