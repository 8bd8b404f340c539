import { answered } from "@/events/analysis/analysis-query";
import type { Question } from "@/events/analysis/analysis-query";
import type { Attribution } from "@/events/analysis/lineage/lineage";
import { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { Derivation } from "./derivation";
import type { Closing, Message, Reply } from "./remote-jobs";
import type { FoldMessage } from "./remote-fold";
import type { Timeline, TimelineData } from "@/events/history/timeline/timeline";
import { timelineOf } from "@/events/history/timeline/timeline-builder";

/** A message to a job. Each message is answered once, in order. */
export type HistoryMessage =
  | FoldMessage
  | { call: "prefix" }
  | { call: "finish" }
  | { call: "state" }
  | { call: "openDerived"; by: number; version: number; attributions: readonly Attribution[] }
  | { call: "open"; data: TimelineData; attributions: readonly Attribution[] }
  | { call: "ask"; question: Question };

type Opened = { timeline: Timeline; contentOrigin: ContentOrigin };

/** The worker's handling of each job. It does not use the worker's own API. */
export class Jobs {
  private readonly derivations = new Map<number, Derivation>();
  private readonly opened = new Map<number, Opened>();

  /** Handles a message. A failure is an answer too. */
  take({ id, job, message }: Message<HistoryMessage>): Reply {
    try {
      return { id, value: this.done(job, message) };
    } catch (error) {
      return { id, fault: error instanceof Error ? error.message : String(error) };
    }
  }

  private done(job: number, message: HistoryMessage | Closing): unknown {
    switch (message.call) {
      case "segment":
        return this.derivation(job).segment(message.bytes);
      case "prefix":
        return this.derivation(job).prefix();
      case "beginAnew":
        return this.derivation(job).beginAnew();
      case "rows":
        return this.derivation(job).rows(message.rows);
      case "finish":
        return this.derivation(job).finish();
      case "state":
        return this.derivation(job).state();
      case "openDerived": {
        const data = this.derivations.get(message.by)?.finished();
        const timeline = data && timelineOf(data);
        if (timeline?.version !== message.version) return false;
        this.open(job, timeline, message.attributions);
        return true;
      }
      case "open":
        this.open(job, timelineOf(message.data), message.attributions);
        return null;
      case "ask": {
        const opened = this.opened.get(job);
        if (!opened) throw new Error("The history is not open");
        return answered(opened.timeline, opened.contentOrigin, message.question);
      }
      case "close":
        this.derivations.delete(job);
        this.opened.delete(job);
        return null;
    }
  }

  private open(job: number, timeline: Timeline, attributions: readonly Attribution[]): void {
    this.opened.set(job, { timeline, contentOrigin: new ContentOrigin(timeline, attributions) });
  }

  private derivation(job: number): Derivation {
    const known = this.derivations.get(job) ?? new Derivation();
    this.derivations.set(job, known);
    return known;
  }
}
