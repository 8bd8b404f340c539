import { type TypedEvent } from "@/events/core/event-types";
import { equalBytes } from "@/events/core/bytes";
import {
  type Timeline,
  type TimelineData,
  type TimelineRow,
} from "@/events/history/timeline/timeline";
import { timelineOf } from "@/events/history/timeline/timeline-builder";
import { Drafting } from "@/events/revisions/drafting";
import { type Merging, mergingOf } from "@/events/revisions/merge";
import { type Acting, type Draft, type RestoreRequest } from "@/events/revisions/restore";
import { type Closing, type Message, type Reply } from "./remote-jobs";

type Wired<T> = T extends { timeline: Timeline }
  ? Omit<T, "timeline"> & { timeline: TimelineData }
  : T;
/** A wish, a draft and a merge as they are handed over. */
export type RestoreRequestData = Wired<RestoreRequest>;
export type DraftData = Wired<Draft>;
export type MergingData = Wired<Merging>;

/** A draft as it was before, on a newer version of the log. */
export type SameDraft = { same: true; base: number; event: TypedEvent<Draft["type"]> };

/** What a job is told that changes a document by what it was; everything is answered once, in order. */
export type RevisionMessage =
  /** The next rows of the document, and of the one that is merged into it. */
  | { call: "rows"; rows: readonly TimelineRow[] }
  | { call: "from"; rows: readonly TimelineRow[] }
  | { call: "wish"; restoreRequest: RestoreRequestData }
  /** What the wish comes to on the rows so far; `shown` is what it came to before. */
  | { call: "draft"; acting: Acting; shown: Uint8Array | null }
  | { call: "merge"; from: string; acting: Acting };

class RevisionJob {
  private readonly rows: TimelineRow[] = [];
  private readonly from: TimelineRow[] = [];
  private drafting: Drafting | null = null;
  private drafted = 0;
  private restoreRequest: RestoreRequest | null = null;

  take(message: RevisionMessage): unknown {
    switch (message.call) {
      case "rows":
        return void this.rows.push(...message.rows);
      case "from":
        return void this.from.push(...message.rows);
      case "wish":
        this.restoreRequest =
          "timeline" in message.restoreRequest
            ? { ...message.restoreRequest, timeline: timelineOf(message.restoreRequest.timeline) }
            : message.restoreRequest;
        return null;
      case "draft":
        return this.draft(message.acting, message.shown);
      case "merge": {
        const merging = mergingOf({ id: message.from, rows: this.from }, this.rows, message.acting);
        return merging && { ...merging, timeline: merging.timeline.data };
      }
    }
  }

  private draft(acting: Acting, shown: Uint8Array | null): DraftData | SameDraft | null {
    if (this.restoreRequest === null) throw new Error("Nothing was wished for.");
    this.drafting ??= new Drafting();
    this.drafting.take(this.rows.slice(this.drafted));
    this.drafted = this.rows.length;
    const draft = this.drafting.draft(this.restoreRequest, acting);
    if (draft === null) return null;
    if (shown && equalBytes(shown, draft.update))
      return {
        same: true,
        base: draft.base,
        event:
          draft.type === "document.reverted"
            ? { type: draft.type, body: draft.body }
            : { type: draft.type, body: draft.body },
      };
    return { ...draft, timeline: draft.timeline.data };
  }
}

/** What the background does with the documents that are to be changed, without any of the background's own means. */
export class RevisionJobs {
  private readonly jobs = new Map<number, RevisionJob>();

  /** Does what a message tells; whatever goes wrong is an answer as well. */
  take({ id, job, message }: Message<RevisionMessage>): Reply {
    try {
      return { id, value: this.done(job, message) };
    } catch (error) {
      return { id, fault: error instanceof Error ? error.message : String(error) };
    }
  }

  private done(job: number, message: RevisionMessage | Closing): unknown {
    if (message.call === "close") return this.jobs.delete(job);
    const known = this.jobs.get(job) ?? new RevisionJob();
    this.jobs.set(job, known);
    return known.take(message);
  }
}
