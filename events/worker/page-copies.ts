import type { CopyMessage } from "./copy-jobs";
import { RemoteJobs } from "./remote-jobs";

/**
 * This page's worker for device copies, where the browser supports one. It is separate, so that it
 * waits for no derivation and loads no other code.
 */
export const pageCopies = new RemoteJobs<CopyMessage>(
  () =>
    new Worker(new URL("./copy-worker.ts", import.meta.url), { type: "module", name: "copies" }),
);
