import { type Clock } from "@/events/core/clock";
import { type Composition, type PageView } from "../device/page-view";

/**
 * A composition in which nobody types for this long is taken for what they mean to write: a phone
 * keeps the last word open until the next key.
 */
export const idleComposition = 10_000;
/** However long somebody goes on composing, others and the log wait no longer for it. */
export const longestComposition = 60_000;

type Input = {
  clock: Clock;
  view(): Pick<PageView, "composition"> | null;
  /** What was composed is committed and read. */
  ended(composition: Composition): void;
  /** Nothing may wait for it any longer; told again while it still goes on. */
  overdue(composition: Composition): void;
};

/** Watches what is composed on a page, from its first letter until it ends or has taken too long. */
export class OpenCompositions {
  private readonly input: Input;
  private watched: Composition | null = null;
  private since = 0;
  private cancel = () => {};

  constructor(input: Input) {
    this.input = input;
  }

  /** What is being composed now. */
  get open(): Composition | null {
    return this.input.view()?.composition() ?? null;
  }

  /** Hears that something is written on this page; returns the composition that it belongs to. */
  typed(): Composition | null {
    const { open } = this;
    if (open && open === this.watched) this.wait(open);
    else if (open) this.watch(open);
    return open;
  }

  /** Hears that something waits for this composition. */
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

  /** Restarts the idle time. */
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
