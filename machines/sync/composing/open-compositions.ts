import type { Clock } from "@/events/core/clock";
import type { Composition, PageView } from "../device/page-view";

/**
 * A composition counts as intended text after this time without typing, in ms. A phone keeps the
 * last word open until the next key.
 */
export const idleComposition = 10_000;
/** The longest time for which others' changes and the log wait for a composition, in ms. */
export const longestComposition = 60_000;

type Input = {
  clock: Clock;
  view(): Pick<PageView, "composition"> | null;
  /** Called when the composition is committed and the editor has read it. */
  ended(composition: Composition): void;
  /** Called once no edit or change may wait for the composition, and again while it is open. */
  overdue(composition: Composition): void;
};

/** Watches the compositions on a page, each from its first letter until it ends or is overdue. */
export class OpenCompositions {
  private readonly input: Input;
  private watched: Composition | null = null;
  private since = 0;
  private cancel = () => {};

  constructor(input: Input) {
    this.input = input;
  }

  /** The open composition, or null. */
  get open(): Composition | null {
    return this.input.view()?.composition() ?? null;
  }

  /** Called on each local edit. Returns the composition that the edit belongs to. */
  typed(): Composition | null {
    const { open } = this;
    if (open && open === this.watched) this.wait(open);
    else if (open) this.watch(open);
    return open;
  }

  /** Starts to watch a composition for which edits or changes wait. */
  watch(composition: Composition): void {
    if (this.watched === composition) return;
    this.watched = composition;
    this.since = this.input.clock.elapsed();
    void composition.ended.then(() => this.end(composition));
    this.wait(composition);
  }

  stop(): void {
    this.cancel();
    this.watched = null;
  }

  /** Restarts the timer after which the composition is overdue. */
  private wait(composition: Composition): void {
    const { clock } = this.input;
    this.cancel();
    const left = Math.max(0, this.since + longestComposition - clock.elapsed());
    this.cancel = clock.after(Math.min(idleComposition, left), () => {
      this.since = clock.elapsed();
      this.input.overdue(composition);
      if (this.watched === composition) this.wait(composition);
    });
  }

  private end(composition: Composition): void {
    if (this.watched === composition) this.stop();
    this.input.ended(composition);
  }
}
