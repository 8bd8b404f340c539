import type { TypedEvent } from "@/events/core/event-types";
import { equalBytes } from "@/events/core/bytes/bytes";
import type { Timeline, TimelineData, TimelineRow } from "@/events/history/timeline/timeline";
import { timelineOf } from "@/events/history/timeline/timeline-builder";
import { PreviewBuilder } from "@/events/revisions/restore-preview";
import { mergingOf } from "@/events/revisions/merge";
import type { Merging } from "@/events/revisions/merge";
import type { Acting, RestorePreview, RestoreRequest } from "@/events/revisions/restore";
import { Derivation } from "./derivation";
import type { FoldMessage } from "./remote-fold";
import type { Closing, Message, Reply } from "./remote-jobs";

type Wired<T> = T extends { timeline: Timeline }
  ? Omit<T, "timeline"> & { timeline: TimelineData }
  : T;
/** A restore request, a preview and a merge in the form in which they are posted. */
export type RestoreRequestData = Wired<RestoreRequest>;
export type RestorePreviewData = Wired<RestorePreview>;
export type MergingData = Wired<Merging>;

/** An earlier preview, unchanged on a newer version of the log. */
export type SamePreview = { same: true; base: number; event: TypedEvent<RestorePreview["type"]> };

/**
 * A message to a job that changes a document based on its past. Each message is answered once, in
 * order.
 */
export type RevisionMessage =
  /** The history of the document. */
  | FoldMessage
  /** For a merge: the next rows of the document, and of the document that is merged into it. */
  | { call: "into"; rows: readonly TimelineRow[] }
  | { call: "from"; rows: readonly TimelineRow[] }
  | { call: "request"; restoreRequest: RestoreRequestData }
  /** Previews the request on the rows so far. `shown` is the update of the previous preview. */
  | { call: "preview"; acting: Acting; shown: Uint8Array | null }
  | { call: "merge"; from: string; acting: Acting };

class RevisionJob {
  private readonly into: TimelineRow[] = [];
  private readonly from: TimelineRow[] = [];
  private readonly derivation = new Derivation();
  private begun: PreviewBuilder | null = null;
  private restoreRequest: RestoreRequest | null = null;

  take(message: RevisionMessage): unknown {
    switch (message.call) {
      case "segment":
        return this.derivation.segment(message.bytes);
      case "beginAnew":
        this.begun = null;
        return this.derivation.beginAnew();
      case "rows":
        return this.previewBuilder().take(message.rows);
      case "into":
        return void this.into.push(...message.rows);
      case "from":
        return void this.from.push(...message.rows);
      case "request":
        this.restoreRequest =
          "timeline" in message.restoreRequest
            ? { ...message.restoreRequest, timeline: timelineOf(message.restoreRequest.timeline) }
            : message.restoreRequest;
        return null;
      case "preview":
        return this.preview(message.acting, message.shown);
      case "merge": {
        const merging = mergingOf({ id: message.from, rows: this.from }, this.into, message.acting);
        return merging && { ...merging, timeline: merging.timeline.data };
      }
    }
  }

  private previewBuilder(): PreviewBuilder {
    return (this.begun ??= new PreviewBuilder(this.derivation.builder()));
  }

  private preview(
    acting: Acting,
    shown: Uint8Array | null,
  ): RestorePreviewData | SamePreview | null {
    if (this.restoreRequest === null) throw new Error("No restore was requested");
    const preview = this.previewBuilder().preview(this.restoreRequest, acting);
    if (preview === null) return null;
    if (shown && equalBytes(shown, preview.update))
      return {
        same: true,
        base: preview.base,
        event:
          preview.type === "document.reverted"
            ? { type: preview.type, body: preview.body }
            : { type: preview.type, body: preview.body },
      };
    return { ...preview, timeline: preview.timeline.data };
  }
}

/** The worker's handling of documents to be changed. It does not use the worker's own API. */
export class RevisionJobs {
  private readonly jobs = new Map<number, RevisionJob>();

  /** Handles a message. A failure is an answer too. */
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
