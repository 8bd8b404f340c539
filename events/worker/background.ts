import type { Attribution } from "@/events/analysis/lineage/lineage";
import type { Answer, Question, QuestionKind } from "@/events/analysis/analysis-query";
import type { TimelineData } from "@/events/history/timeline/timeline";
import type { Deriver } from "./deriver";
import type { HistoryMessage } from "./jobs";
import { remoteFold } from "./remote-fold";
import { RemoteJobs } from "./remote-jobs";
import type { RemoteWorker } from "./remote-jobs";

/** An opened history that answers queries in a worker. */
type QueryRunner = {
  ask<Kind extends QuestionKind>(question: Question<Kind>): Promise<Answer<Kind>>;
  close(): void;
};

/** Derives and queries histories in a worker. */
export class Background {
  private readonly jobs: RemoteJobs<HistoryMessage>;
  /** The job that derived each history, which the worker may still hold. */
  private readonly derivedBy = new WeakMap<TimelineData, number>();

  constructor(make: () => RemoteWorker<HistoryMessage>) {
    this.jobs = new RemoteJobs(make);
  }

  /** Subscribes to the loss of the worker. Returns the function that unsubscribes. */
  onLost(listener: () => void): () => void {
    return this.jobs.onLost(listener);
  }

  /** Returns a deriver that runs in the worker. */
  deriver(): Deriver {
    const job = this.jobs.job();
    // Every answer has the type that `Jobs` gives to the call.
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

  /** Opens a copy of the history at `version` in the worker, for long-running queries. */
  queryRunner(
    data: TimelineData,
    version: number,
    attributions: readonly Attribution[],
  ): QueryRunner {
    const job = this.jobs.job();
    const by = this.derivedBy.get(data);
    // Copying a long history for the worker blocks the page, and the worker usually already holds
    // the history.
    const open = async () => {
      const has =
        by !== undefined && (await job.post({ call: "openDerived", by, version, attributions }));
      if (has !== true) await job.post({ call: "open", data, attributions });
    };
    const opened = open();
    // The first query reports any failure again.
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
