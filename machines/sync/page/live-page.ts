import * as Y from "yjs";
import { type Clock, type Random } from "@/events/core/clock";
import { type Ruled } from "@/events/core/envelope";
import { type ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { type ProvisionalUpdates } from "@/events/crdt/validation/provisional-updates";
import { deletionOf } from "@/events/crdt/updates/deletion";
import { type ClientRebase } from "@/events/crdt/updates/rebase/client-rebase";
import { type InspectedUpdate } from "@/events/crdt/updates/update-inspection";
import { ComposedText } from "../composing/composed-text";
import { CurrentPageDoc } from "./current-page-doc";
import { type Whereabouts } from "../channel/document-channel";
import { type DraftDocument } from "../device/draft-document";
import { type LogRollbacks } from "./log-rollbacks";
import { type OwnEdits } from "../log/own-edits";
import { confirmedCopy, root } from "./page-doc";
import { type RebuildRequest } from "../log/page-rebuild";
import { PageRebuilds } from "../log/page-rebuilds";
import { PageRepair } from "./page-repair";
import { pageSteps } from "./page-steps";
import { type Composition, type PageView } from "../device/page-view";
import { type LogReading } from "../channel/reading";
import { UnloggedText } from "./unlogged-text";

/** The origin of deletions that were put off until the log brought what they delete. */
const deferredOrigin = "deferred";

type Input = {
  userId: string;
  clock: Clock;
  random: Random;
  confirmed: ConfirmedDocument;
  provisional: ProvisionalUpdates;
  rollbacks: Pick<LogRollbacks, "take">;
  own: OwnEdits;
  /** Takes in what the editor writes into the page's document. */
  local: { listen(doc: Y.Doc): void; end(): void };
  mayWrite(): boolean;
  /** Whether the log has acknowledged more than has been read of it. */
  unread(): boolean;
  whereabouts(client: number): Whereabouts;
  /** Milliseconds between two broadcasts; 0 sends every letter at once. */
  interval(): number;
  /** Somebody's caret has come or gone: the interval may be another. */
  typistsChanged(): void;
  /** Another Y.Doc stands in the place of the one before. */
  replaced(): void;
  /** What is unsaved may have changed, after rows of the log were shown. */
  counted(): void;
  /** There is something to send, or what waited for a rebuild may go on. */
  edited(): void;
  /** The log has lost what was read of it. */
  rolledBack(): void;
  /** Hears the rows of the log, once they are shown. */
  rows(rows: Ruled[]): void;
  /** What is open already, to be shown instead of another. */
  draft?: Pick<DraftDocument, "doc" | "awareness"> | null;
};

/**
 * The last stage of a keystroke: the text as this tab shows it, which is the log, one's own edits,
 * and for a while what others have not logged yet.
 */
export class LivePage {
  readonly rebuilds: PageRebuilds;
  /** Its Y.Doc, on the document's channel. */
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

  /** How many updates of others it shows that the log lacks. */
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

  /** Who shows the text from now on; returns the function that ends it. */
  show(view: PageView): () => void {
    this.view = view;
    this.composed.begin();
    return () => {
      if (this.view === view) this.view = null;
    };
  }

  /** Hears that something is written on this page; returns the composition that it belongs to. */
  typed(): Composition | null {
    return this.composed.typed();
  }

  /** The page stood still, or could not reach the log: how long others' text has stood is counted anew. */
  contactLost(): void {
    this.unlogged.contactLost();
  }

  /**
   * Shows what was read of the log, in one turn where it is little; else keys and drawing come
   * between the steps, for which the text stands between what it was and what the log holds.
   */
  async take({ rows, accepted, refolded, stateBefore }: LogReading): Promise<void> {
    const { own, counted } = this.input;
    this.unlogged.caughtUp();
    if (stateBefore) return this.rollBack(rows, stateBefore);
    const mine = new Set<number>();
    for (const row of rows) if (own.acknowledge(row.id)) mine.add(row.version);
    const foreign = accepted.filter(({ version }) => !mine.has(version));
    // What is yet to be shown is no difference from the log.
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

  /** Shows what an earlier tab has left: its own edits, and what they depend on. */
  showLeftovers(dependencies: readonly Uint8Array[]): void {
    for (const update of dependencies) this.unlogged.add(update);
    const own = this.input.own.unacknowledged.map(({ update }) => update);
    this.display([...dependencies, ...own]);
    this.rebuildTaken();
  }

  /**
   * Makes own edits again whose client id the log has bound to somebody else: here Yjs takes them for
   * what that one has written, and shows nothing of them.
   */
  private rebuildTaken(): void {
    const { confirmed, own, userId } = this.input;
    const isTaken = ({ client }: { client: number }) =>
      ![null, userId].includes(confirmed.ownerOf(client));
    const again = own.unacknowledged;
    if (again.some(({ inspected }) => inspected.structs.some(isTaken)))
      this.rebuild({ reason: "client-id-taken", again });
  }

  /** Lets go of what the log holds by now. */
  settleUnlogged(): void {
    this.repair.settle();
  }

  /**
   * Puts another Y.Doc in the place of this one: the log, one's own edits that may be appended as
   * they are, and the others, made again under a new client id without what nobody has logged. What
   * has no place is put aside. It takes several turns where there is much to do, or while something
   * is being composed; until then everything goes on in the old one.
   */
  rebuild(request: RebuildRequest): void {
    this.rebuilds.ask(request);
  }

  /** Shows what has waited for what the log has brought; false if the page must be made anew. */
  private endShowing(): boolean {
    const isShown = this.display(this.unlogged.due(this.current.doc));
    this.settleUnlogged();
    // The caret must go with the letters.
    return isShown && this.current.isWhole;
  }

  /**
   * An older backup was put in the place of the log: shows what it holds, and sends again what this
   * tab wrote and it has lost.
   */
  private rollBack(rows: Ruled[], stateBefore: Uint8Array): void {
    this.input.rollbacks.take(rows, stateBefore);
    this.input.rolledBack();
    this.rebuild({ reason: "log-rolled-back", besides: stateBefore });
    this.recoverOrphaned();
    this.input.edited();
    this.input.rows(rows.slice(-1));
  }

  /** What an orphaned edit depends on may still come, when its author does. */
  private recoverOrphaned(): void {
    const updates = this.input.own.recover();
    if (updates.length === 0) return;
    this.display(updates);
    this.input.edited();
  }

  /** Deletes what was deleted before the log had it. */
  private makeDeferred(): void {
    const { own, confirmed, mayWrite } = this.input;
    if (!mayWrite()) return;
    const ready = own.takeDeferred((range) => confirmed.holds([range]));
    if (ready.length === 0) return;
    Y.applyUpdate(this.current.doc, deletionOf(ready), deferredOrigin);
  }

  /** Goes back to what the log holds where the page shows something else. */
  private heal(): void {
    const { clock, confirmed } = this.input;
    this.cancelHealing();
    // What waits for a composition is no difference from the log.
    if (this.composed.isAwaited) return;
    const request = this.rebuilds.active ? null : this.repair.due(this.current.fragment);
    if (request && request !== "unfinished") this.rebuild(request);
    if (request !== "unfinished") return;
    const { version } = confirmed;
    this.cancelHealing = clock.after(0, () => {
      // What was folded meanwhile is yet to be shown: then the two are compared on.
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
    // The new page has it from the log and from what others have said.
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
    // What others have not logged may have broken the new page as well.
    if (!isShown) this.rebuild({ reason: "not-applied", forget: () => true });
  }

  private accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[] {
    // Nobody else speaks under this tab's client id; whoever does would make Yjs take its own next letters for known.
    const isMine = (client: number) =>
      client === this.current.doc.clientID || this.input.own.speaksAs(client);
    if (inspected.structs.some(({ client }) => isMine(client))) return [];
    return this.composed.pass(this.unlogged.hear({ update, inspected }, this.current.doc));
  }

  /** Brings what others wrote into the page, but for what waits for a composition; false if Yjs failed on it. */
  private display(updates: readonly Uint8Array[]): boolean {
    return this.current.apply(this.composed.pass(updates));
  }

  /** Shows what has waited for a composition. */
  private showAwaiting(updates: readonly Uint8Array[]): void {
    const isApplied = this.current.apply(updates);
    if (!this.endShowing() || !isApplied) this.rebuild({ reason: "not-applied" });
    this.heal();
  }

  /** Takes in what has been typed until now; while something is composed, resolves when it may be asked again. */
  private settle(): Promise<void> | null {
    const busy = this.view?.settle() ?? null;
    if (busy === null) this.input.own.release();
    return busy;
  }
}
