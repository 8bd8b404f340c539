import type { TimelineRow } from "@/events/history/timeline/timeline";
import { timelineOf } from "@/events/history/timeline/timeline-builder";
import type { Merging } from "@/events/revisions/merge";
import { needsWholeLog } from "@/events/revisions/restore";
import type { Acting, RestorePreview, RestoreRequest } from "@/events/revisions/restore";
import { postHistory, rowsAfter } from "./history";
import type { HistorySource } from "./history";
import { remoteFold } from "./remote-fold";
import { BackgroundLost } from "./remote-jobs";
import type { Job } from "./remote-jobs";
import type {
  RestorePreviewData,
  MergingData,
  RevisionMessage,
  SamePreview,
  RestoreRequestData,
} from "./revision-jobs";
import { workerRow } from "./worker-row";

type Input = {
  source: HistorySource;
  documentId: string;
  /** Creates the job. By default, the work is done in the page. */
  job?: () => Job<RevisionMessage>;
};

async function jobHere(): Promise<Job<RevisionMessage>> {
  const { RevisionJobs } = await import("./revision-jobs");
  const jobs = new RevisionJobs();
  const post = async (message: RevisionMessage) => {
    const reply = jobs.take({ id: 0, job: 0, message });
    if ("fault" in reply) throw new Error(reply.fault);
    return reply.value;
  };
  return { id: 0, post, close: () => undefined };
}

/** The rows that are added before the page gets its turn, since a person may be typing in it. */
const pageRows = 400;

const wired = (restoreRequest: RestoreRequest): RestoreRequestData =>
  "timeline" in restoreRequest
    ? { ...restoreRequest, timeline: restoreRequest.timeline.data }
    : restoreRequest;

/**
 * Prepares restores and merges of one document in a worker, from the current log. The log is folded
 * once, from segments where these exist. Later rows are added incrementally.
 */
export class Revising {
  private readonly input: Input;
  private job: Job<RevisionMessage> | null = null;
  private reached = 0;
  /** Whether the log was read from its beginning, without segments. */
  private whole = false;
  private restoreRequest: RestoreRequest | null = null;
  private here = false;
  private last: Promise<unknown> = Promise.resolve();

  constructor(input: Input) {
    this.input = input;
  }

  /**
   * Previews a restore request on the newest log. A preview with the same effect as `shown` is
   * returned as `shown` on a newer version. Resolves to null if nothing would change.
   */
  previewed(
    restoreRequest: RestoreRequest,
    acting: Acting,
    shown: RestorePreview | null = null,
  ): Promise<RestorePreview | null> {
    return this.enqueue(async () => {
      const job = await this.caughtUp(needsWholeLog(restoreRequest));
      if (this.restoreRequest !== restoreRequest)
        await job.post({ call: "request", restoreRequest: wired(restoreRequest) });
      this.restoreRequest = restoreRequest;
      const message = { call: "preview", acting, shown: shown?.update ?? null } as const;
      // Every answer has the type that `RevisionJobs` gives to the call.
      const preview = (await job.post(message)) as RestorePreviewData | SamePreview | null;
      if (preview === null) return null;
      if (!("same" in preview)) return { ...preview, timeline: timelineOf(preview.timeline) };
      if (!shown) return null;
      const { update, clientIds, timeline, now } = shown;
      return { ...preview.event, base: preview.base, update, clientIds, timeline, now };
    });
  }

  /** Prepares a merge of another document into this one. Null if this one lacks nothing of it. */
  merging(from: string, acting: Acting): Promise<Merging | null> {
    return this.enqueue(async () => {
      // This job serves only this merge, because its rows fit no other request.
      this.forget();
      const job = await this.opened();
      for await (const rows of this.read(this.input.documentId, 0))
        await job.post({ call: "into", rows: rows.map(workerRow) });
      for await (const rows of this.read(from, 0))
        await job.post({ call: "from", rows: rows.map(workerRow) });
      const merging = (await job.post({ call: "merge", from, acting })) as MergingData | null;
      return merging && { ...merging, timeline: timelineOf(merging.timeline) };
    });
  }

  /** Releases all data, once pending work is done. */
  close(): void {
    void this.last.then(() => this.forget());
  }

  private forget(): void {
    this.job?.close();
    this.job = null;
    [this.reached, this.whole, this.restoreRequest] = [0, false, null];
  }

  /** Runs work one at a time, or in the page itself if the worker is lost. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(async () => {
      try {
        return await work();
      } catch (error) {
        this.forget();
        if (!(error instanceof BackgroundLost)) throw error;
        this.here = true;
        return await work();
      }
    });
    this.last = done.catch(() => undefined);
    return done;
  }

  private read(stream: string, after: number): AsyncGenerator<TimelineRow[]> {
    const { source } = this.input;
    const { signal } = new AbortController();
    return rowsAfter({ source, documentId: stream, signal, pageRows }, after);
  }

  private async opened(): Promise<Job<RevisionMessage>> {
    return (this.job ??= this.here || !this.input.job ? await jobHere() : this.input.job());
  }

  private async caughtUp(whole: boolean): Promise<Job<RevisionMessage>> {
    if (whole && !this.whole) this.forget();
    const job = await this.opened();
    const fold = remoteFold(job);
    if (this.reached === 0) {
      const { source, documentId } = this.input;
      this.whole = whole || !source.segments;
      await postHistory(
        {
          source: whole ? { read: (...page) => source.read(...page) } : source,
          documentId,
          signal: new AbortController().signal,
          onProgress: (version) => (this.reached = version),
          pageRows,
        },
        {
          ...fold,
          beginAnew: async () => {
            this.whole = true;
            await fold.beginAnew();
          },
        },
      );
      return job;
    }
    for await (const rows of this.read(this.input.documentId, this.reached)) {
      // Data read before a redaction still contains the redacted words.
      const outdated = rows.some(({ type }) => type === "document.redacted");
      if (outdated || !(await fold.rows(rows))) {
        this.forget();
        return this.caughtUp(true);
      }
      this.reached += rows.length;
    }
    return job;
  }
}
