import type { CopyMessage } from "./copy-jobs";
import { RemoteJobs } from "./remote-jobs";

/**
 * This page's worker for device copies, in browsers that support one. The worker is separate, so
 * that it waits for no derivation and loads no other code.
 */
export const pageCopies = new RemoteJobs<CopyMessage>(
  () =>
    new Worker(new URL("./copy-worker.ts", import.meta.url), { type: "module", name: "copies" }),
);
