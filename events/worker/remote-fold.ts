import type { TimelineRow } from "@/events/history/timeline/timeline";
import type { HistoryFold } from "./history";
import type { Job } from "./remote-jobs";
import { workerRow } from "./worker-row";

/** A message to a job that reads a history. `Derivation` documents the answers. */
export type FoldMessage =
  | { call: "segment"; bytes: Uint8Array<ArrayBuffer> }
  | { call: "beginAnew" }
  | { call: "rows"; rows: readonly TimelineRow[] };

/** Wraps a worker's job as the fold into which a history is read. */
export function remoteFold(
  job: Job<FoldMessage>,
): Required<Pick<HistoryFold, FoldMessage["call"]>> {
  // Every answer has the type that such a job gives to the call.
  return {
    segment: (bytes) => {
      const own = new Uint8Array(bytes);
      return job.post({ call: "segment", bytes: own }, [own.buffer]) as Promise<number | null>;
    },
    beginAnew: () => job.post({ call: "beginAnew" }) as Promise<void>,
    rows: (rows) => job.post({ call: "rows", rows: rows.map(workerRow) }) as Promise<boolean>,
  };
}
