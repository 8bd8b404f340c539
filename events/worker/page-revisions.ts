import { RemoteJobs } from "./remote-jobs";
import type { RevisionMessage } from "./revision-jobs";

/**
 * This page's worker for restores and merges, in browsers that support one. The worker is separate,
 * so that pages that only play a history do not load it.
 */
export const pageRevisions = new RemoteJobs<RevisionMessage>(
  () =>
    new Worker(new URL("./revision-worker.ts", import.meta.url), {
      type: "module",
      name: "revisions",
    }),
);
