import { anchorOutcomes } from "@/events/analysis/anchors/anchor-outcomes";
import type { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { rewritingOf } from "@/events/analysis/rewriting";
import type { Clock } from "@/events/core/clock";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Background } from "@/events/worker/background";
import type { HistorySource } from "@/events/worker/history";
import { liveHistory } from "@/events/worker/live-history";
import type { LiveHistory } from "@/events/worker/live-history";
import { BackgroundLost } from "@/events/worker/remote-jobs";

type Input = {
  documentId: string;
  source: HistorySource;
  clock: Clock;
  memory: AnchorMemory;
  background: Pick<Background, "deriver" | "queryRunner">;
  /** Called when the memory has learned an outcome. */
  onLearned: () => void;
  /** Receives every fault except a lost connection. */
  onFault: (fault: unknown) => void;
};

/**
 * Looks up the outcome of moved or deleted words in the history of an open document. The history is
 * read once such words exist, and follows the log while any are unresolved.
 */
export class AnchorLineage {
  private readonly input: Input;
  private history: LiveHistory | null = null;
  private timeline: Timeline | null = null;
  private asking = false;

  constructor(input: Input) {
    this.input = input;
  }

  /** Looks up the words that the memory does not know. Closes the history once all are resolved. */
  settle(): void {
    const { memory } = this.input;
    if (!memory.hasOpen) {
      if (!this.asking) this.close();
      return;
    }
    if (this.history === null) this.open();
    // Words that this history could not resolve wait for a newer history.
    else if (this.timeline && memory.hasUnasked) void this.ask(this.timeline);
  }

  /** Receives the number of events in the log. */
  heard(version: number): void {
    this.history?.heard(version);
  }

  close(): void {
    this.history?.close();
    [this.history, this.timeline] = [null, null];
  }

  private open(): void {
    const { source, documentId, clock, background } = this.input;
    this.history = liveHistory({
      source,
      documentId,
      clock,
      derive: () => background.deriver(),
      onTimeline: (timeline) => {
        this.timeline = timeline;
        void this.ask(timeline);
      },
      // The next change of the text tries again.
      onFailed: () => this.close(),
    });
  }

  private async ask(timeline: Timeline): Promise<void> {
    if (this.asking) return;
    const { memory, background, onLearned, onFault } = this.input;
    const anchors = memory.takeOpen();
    if (anchors.length === 0) return;
    this.asking = true;
    const runner = background.queryRunner(timeline.data, timeline.version, []);
    try {
      const { answers, known } = await runner
        .ask({ kind: "anchors", anchors })
        .catch((fault: unknown) => {
          if (fault instanceof BackgroundLost)
            return anchorOutcomes(timeline, rewritingOf(timeline), anchors);
          throw fault;
        });
      memory.learn(answers, known);
    } catch (fault) {
      onFault(fault);
    } finally {
      runner.close();
      this.asking = false;
    }
    onLearned();
  }
}
