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
  /** Shows what others wrote in the block of a composition. */
  show(updates: readonly Uint8Array[]): void;
};

/**
 * The compositions on a page. When one has ended or has taken too long, its edits are released and
 * others' changes to its block are shown.
 */
export class ComposedText {
  private readonly input: Input;
  private readonly compositions: OpenCompositions;
  private readonly block: ComposedBlock;
  /** The composition that was asked to commit its letters. */
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

  /** Whether changes by others wait for a composition to end. */
  get isAwaited(): boolean {
    return !this.block.isEmpty;
  }

  /** Called when a view shows the page; a composition may already be open in it. */
  begin(): void {
    const { open } = this.compositions;
    if (open) this.compositions.watch(open);
  }

  /** Called on each local edit; returns the composition that it belongs to. */
  typed(): Composition | null {
    return this.compositions.typed();
  }

  /** Returns the updates by others that may be shown now. */
  pass(updates: readonly Uint8Array[]): Uint8Array[] {
    const passed = this.block.pass(updates);
    if (this.isAwaited) this.begin();
    return passed;
  }

  /** Drops the held updates: they arrive another way. */
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
   * Sends the composition as it stands; if changes by others wait for it, asks the input method to
   * commit.
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
