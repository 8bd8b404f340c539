import type { Clock } from "@/events/core/clock";
import type { Composition, PageView } from "../device/page-view";

/**
 * After this many ms without typing, a composition counts as intended text: a phone keeps the last
 * word open until the next key.
 */
export const idleComposition = 10_000;
/** Longest time that others and the log wait for a composition, in ms. */
export const longestComposition = 60_000;

type Input = {
  clock: Clock;
  view(): Pick<PageView, "composition"> | null;
  /** Called when the composition is committed and the editor has read it. */
  ended(composition: Composition): void;
  /** Called when nothing may wait for the composition any longer; repeated while it stays open. */
  overdue(composition: Composition): void;
};

/** Watches the compositions on a page, from the first letter until each ends or takes too long. */
export class OpenCompositions {
  private readonly input: Input;
  private watched: Composition | null = null;
  private since = 0;
  private cancel = () => {};

  constructor(input: Input) {
    this.input = input;
  }

  /** The open composition. */
  get open(): Composition | null {
    return this.input.view()?.composition() ?? null;
  }

  /** Called on each local edit; returns the composition that it belongs to. */
  typed(): Composition | null {
    const { open } = this;
    if (open && open === this.watched) this.wait(open);
    else if (open) this.watch(open);
    return open;
  }

  /** Starts to watch a composition that something waits for. */
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

  /** Restarts the idle timer. */
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
