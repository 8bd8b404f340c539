import type { Clock } from "@/events/core/clock";
import { missingClients } from "@/events/crdt/updates/pending-edit";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { Whereabouts } from "./document-channel";

/**
 * The number of unsuccessful reads of the log before an author counts as gone. `gone`: the author
 * has left the channel. `unknown`: this page is not on the channel. `here`: the author is present,
 * but their text does not arrive (about a minute).
 */
const enough: Record<Whereabouts, number> = { gone: 4, unknown: 12, here: 32 };
/** The shortest and longest interval between two reads that count, in ms. */
const pause = { first: 500, longest: 2_000 };

type Input = {
  clock: Pick<Clock, "elapsed">;
  clockOf(client: number): number;
  whereabouts(client: number): Whereabouts;
};
type Waiting = {
  key: string;
  seen: string;
  looks: number;
  gone: number;
  unknown: number;
  last: number;
};

/**
 * The authors whose unlogged text this tab's edits depend on. Elapsed time alone never makes an
 * author count as gone: this page must have read the log several times, at intervals, without
 * finding their text. The clock only delays reads that would be too early.
 */
export class MissingAuthors {
  private readonly input: Input;
  private waiting: Waiting | null = null;

  constructor(input: Input) {
    this.input = input;
  }

  /** Restarts the wait for all authors. */
  forget(): void {
    this.waiting = null;
  }

  /** Whether the log should be read again for the missing text. */
  due(edits: readonly PendingEdit[]): boolean {
    const { looks, last } = this.current(edits);
    return (
      this.input.clock.elapsed() - last >=
      Math.min(pause.first * 2 ** Math.floor(looks / 2), pause.longest)
    );
  }

  /** Counts a successful read. Returns the clients for which the writer no longer waits. */
  lookedFor(edits: readonly PendingEdit[]): Set<number> {
    const waiting = this.current(edits);
    const missingDependencies = this.missingDependencies(edits);
    const are = (where: Whereabouts) =>
      missingDependencies.filter((client) => this.input.whereabouts(client) === where);
    waiting.last = this.input.clock.elapsed();
    waiting.looks += 1;
    // An author who has come back, or may have come back, is not gone.
    waiting.gone = are("gone").length > 0 ? waiting.gone + 1 : 0;
    waiting.unknown = are("unknown").length > 0 ? waiting.unknown + 1 : 0;
    if (waiting.looks >= enough.here) return new Set(missingDependencies);
    if (waiting.gone >= enough.gone) return new Set(are("gone"));
    return new Set(waiting.unknown >= enough.unknown ? are("unknown") : []);
  }

  private current(edits: readonly PendingEdit[]): Waiting {
    // While the log still gains some of the missing text, its author is slow but present.
    const seen = this.missingDependencies(edits)
      .map((client) => `${client}:${this.input.clockOf(client)}`)
      .join();
    const key = edits[0]?.key ?? "";
    if (this.waiting?.key !== key || this.waiting.seen !== seen) {
      this.waiting = { key, seen, looks: 0, gone: 0, unknown: 0, last: this.input.clock.elapsed() };
    }
    return this.waiting;
  }

  private missingDependencies([first]: readonly PendingEdit[]): number[] {
    return first
      ? [...new Set(missingClients(first.inspected, (client) => this.input.clockOf(client)))]
      : [];
  }
}
