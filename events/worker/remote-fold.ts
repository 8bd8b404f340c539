import { type TimelineRow } from "@/events/history/timeline/timeline";
import { type HistoryFold } from "./history";
import { type Job } from "./remote-jobs";
import { workerRow } from "./worker-row";

/** What a job is told that a history is read into; `Derivation` says what each is answered by. */
export type FoldMessage =
  | { call: "segment"; bytes: Uint8Array<ArrayBuffer> }
  | { call: "beginAnew" }
  | { call: "rows"; rows: readonly TimelineRow[] };

/** A job, beside the page, as what a history is read into. */
export function remoteFold(
  job: Job<FoldMessage>,
): Required<Pick<HistoryFold, FoldMessage["call"]>> {
  // Every answer is of the kind that a job of this sort gives to that call.
  return {
    segment: (bytes) => {
      const own = new Uint8Array(bytes);
      return job.post({ call: "segment", bytes: own }, [own.buffer]) as Promise<number | null>;
    },
    beginAnew: () => job.post({ call: "beginAnew" }) as Promise<void>,
    rows: (rows) => job.post({ call: "rows", rows: rows.map(workerRow) }) as Promise<boolean>,
  };
}
