import { type Attribution } from "@/events/analysis/lineage/lineage";
import { type Answer, type Question, type QuestionKind } from "@/events/analysis/analysis-query";
import { type TimelineData } from "@/events/history/timeline/timeline";
import { type Deriver } from "./deriver";
import { type Told } from "./jobs";
import { type Hand, RemoteJobs } from "./remote-jobs";
import { toldRow } from "./told-row";

/** An opened history of which questions are answered beside the page. */
type Inquirer = {
  ask<Kind extends QuestionKind>(question: Question<Kind>): Promise<Answer<Kind>>;
  close(): void;
};

/** Histories that are derived, and asked, beside the page. */
export class Background {
  private readonly jobs: RemoteJobs<Told>;

  constructor(make: () => Hand<Told>) {
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
      segment: (bytes) => {
        const own = new Uint8Array(bytes);
        return job.tell({ call: "segment", bytes: own }, [own.buffer]) as Promise<number | null>;
      },
      part: () => job.tell({ call: "part" }) as Promise<TimelineData>,
      beginAnew: () => job.tell({ call: "beginAnew" }) as Promise<void>,
      rows: (rows) => job.tell({ call: "rows", rows: rows.map(toldRow) }) as Promise<boolean>,
      finish: () => job.tell({ call: "finish" }) as Promise<TimelineData>,
      state: () => job.tell({ call: "state" }) as Promise<Uint8Array>,
      close: () => job.close(),
    };
  }

  /** Opens a copy of a history here, for questions that take long. */
  inquirer(data: TimelineData, attributions: readonly Attribution[]): Inquirer {
    const job = this.jobs.job();
    // What goes wrong here is met again by the first question.
    job.tell({ call: "open", data, attributions }).catch(() => undefined);
    return {
      ask: <Kind extends QuestionKind>(question: Question<Kind>) =>
        job.tell({ call: "ask", question: question as Question }) as Promise<Answer<Kind>>,
      close: () => job.close(),
    };
  }
}
