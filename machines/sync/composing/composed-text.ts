import type * as Y from "yjs";
import type { Clock } from "@/events/core/clock";
import type { Composition, PageView } from "../device/page-view";
import { ComposedBlock } from "./composed-block";
import { OpenCompositions } from "./open-compositions";

type Input = {
  clock: Clock;
  doc(): Y.Doc;
  view(): Pick<PageView, "composition"> | null;
  /** Called when the composed edits may be sent. */
  release(composition: Composition): void;
  /** Shows others' changes to the block of a composition. */
  show(updates: readonly Uint8Array[]): void;
};

/**
 * The compositions on a page. When a composition has ended or is overdue, its edits are released
 * and others' changes to its block are shown.
 */
export class ComposedText {
  private readonly input: Input;
  private readonly compositions: OpenCompositions;
  private readonly block: ComposedBlock;
  /** The composition that has already been requested to commit its letters. */
  private finishing: Composition | null = null;

  constructor(input: Input) {
    this.input = input;
    this.compositions = new OpenCompositions({
      ...input,
      ended: (composition) => this.ended(composition),
      overdue: (composition) => this.overdue(composition),
    });
    this.block = new ComposedBlock({ ...input, composition: () => this.compositions.open });
  }

  /** Whether others' changes wait for a composition to end. */
  get isAwaited(): boolean {
    return !this.block.isEmpty;
  }

  /** Called when a view shows the page. A composition may already be open in the view. */
  begin(): void {
    const { open } = this.compositions;
    if (open) this.compositions.watch(open);
  }

  /** Called on each local edit. Returns the composition that the edit belongs to. */
  typed(): Composition | null {
    return this.compositions.typed();
  }

  /** Returns those of others' updates that may be shown now. */
  pass(updates: readonly Uint8Array[]): Uint8Array[] {
    const passed = this.block.pass(updates);
    if (this.isAwaited) this.begin();
    return passed;
  }

  /** Drops the held updates, because a rebuilt page already contains them. */
  clear(): void {
    this.block.take();
  }

  stop(): void {
    this.compositions.stop();
    this.clear();
  }

  private ended(composition: Composition): void {
    this.input.release(composition);
    if (this.compositions.open === null) this.showWaiting();
  }

  /**
   * Sends the composition as it is. If others' changes wait for it, requests a commit from the
   * input method.
   */
  private overdue(composition: Composition): void {
    this.input.release(composition);
    if (!this.isAwaited) return;
    const isAsked = this.finishing === composition;
    this.finishing = composition;
    if (this.compositions.open === composition && !isAsked) composition.finish();
    else this.showWaiting();
  }

  private showWaiting(): void {
    const updates = this.block.take();
    if (updates.length > 0) this.input.show(updates);
  }
}
