import type * as Y from "yjs";
import { type Clock } from "@/events/core/clock";
import { type Composition, type PageView } from "../device/page-view";
import { ComposedBlock } from "./composed-block";
import { OpenCompositions } from "./open-compositions";

type Input = {
  clock: Clock;
  doc(): Y.Doc;
  view(): Pick<PageView, "composition"> | null;
  /** What was composed may be sent. */
  release(composition: Composition): void;
  /** Shows what others wrote in the block of a composition. */
  show(updates: readonly Uint8Array[]): void;
};

/**
 * What is composed on a page: its edits are released, and what others wrote in its block is shown,
 * when it has ended or has taken too long.
 */
export class ComposedText {
  private readonly input: Input;
  private readonly compositions: OpenCompositions;
  private readonly block: ComposedBlock;
  /** The composition that was asked to commit what stands there. */
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

  /** Whether something of others' waits for a composition to end. */
  get isAwaited(): boolean {
    return !this.block.isEmpty;
  }

  /** Hears that a view shows the page, in which something may be composed already. */
  begin(): void {
    const { open } = this.compositions;
    if (open) this.compositions.watch(open);
  }

  /** Hears that something is written on this page; returns the composition that it belongs to. */
  typed(): Composition | null {
    return this.compositions.typed();
  }

  /** Of what others wrote, what may be shown now. */
  pass(updates: readonly Uint8Array[]): Uint8Array[] {
    const passed = this.block.pass(updates);
    if (this.isAwaited) this.begin();
    return passed;
  }

  /** Forgets what waits: it comes another way. */
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

  /** It is sent as it stands; where something of others' waits for it, the input method has to commit it. */
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
