import { type Attribution } from "@/events/analysis/lineage/lineage";
import { type Answer, type Question, type QuestionKind } from "@/events/analysis/analysis-query";
import { type TimelineData } from "@/events/history/timeline/timeline";
import { type Deriver } from "./deriver";
import { type HistoryMessage } from "./jobs";
import { remoteFold } from "./remote-fold";
import { type RemoteWorker, RemoteJobs } from "./remote-jobs";

/** An opened history of which questions are answered beside the page. */
type QueryRunner = {
  ask<Kind extends QuestionKind>(question: Question<Kind>): Promise<Answer<Kind>>;
  close(): void;
};

/** Histories that are derived, and asked, beside the page. */
export class Background {
  private readonly jobs: RemoteJobs<HistoryMessage>;
  /** By which job a history was derived, which the worker may still have. */
  private readonly derivedBy = new WeakMap<TimelineData, number>();

  constructor(make: () => RemoteWorker<HistoryMessage>) {
    this.jobs = new RemoteJobs(make);
  }

  /** Hears of it when what works beside the page is lost; answers the end of it. */
  onLost(listener: () => void): () => void {
    return this.jobs.onLost(listener);
  }

  /** Derives a history here. */
  deriver(): Deriver {
    const job = this.jobs.job();
    // Every answer is of the kind that `Jobs` gives to that call.
    return {
      ...remoteFold(job),
      prefix: () => job.post({ call: "prefix" }) as Promise<TimelineData>,
      finish: async () => {
        const data = (await job.post({ call: "finish" })) as TimelineData;
        this.derivedBy.set(data, job.id);
        return data;
      },
      state: () => job.post({ call: "state" }) as Promise<Uint8Array>,
      close: () => job.close(),
    };
  }

  /** Opens a copy of the history at `version` here, for questions that take long. */
  queryRunner(
    data: TimelineData,
    version: number,
    attributions: readonly Attribution[],
  ): QueryRunner {
    const job = this.jobs.job();
    const by = this.derivedBy.get(data);
    // Copying a long history for the worker holds up the page; mostly the worker has it already.
    const open = async () => {
      const has =
        by !== undefined && (await job.post({ call: "openDerived", by, version, attributions }));
      if (has !== true) await job.post({ call: "open", data, attributions });
    };
    const opened = open();
    // What goes wrong here is met again by the first question.
    opened.catch(() => undefined);
    return {
      ask: async <Kind extends QuestionKind>(question: Question<Kind>) => {
        await opened;
        return job.post({ call: "ask", question: question as Question }) as Promise<Answer<Kind>>;
      },
      close: () => job.close(),
    };
  }
}
