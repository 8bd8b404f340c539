import { RemoteJobs } from "./remote-jobs";
import { type RevisionMessage } from "./revision-jobs";

/**
 * What prepares restores and merges for this page: a worker of its own, where the browser gives
 * one, so that no page that only plays a history fetches it.
 */
export const pageRevisions = new RemoteJobs<RevisionMessage>(
  () =>
    new Worker(new URL("./revision-worker.ts", import.meta.url), {
      type: "module",
      name: "revisions",
    }),
);
