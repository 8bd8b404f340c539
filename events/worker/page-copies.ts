import { type CopyMessage } from "./copy-jobs";
import { RemoteJobs } from "./remote-jobs";

/**
 * What makes copies for the device beside this page: a worker of its own, where the browser gives
 * one, which waits for no history that is derived, and has no code but for this.
 */
export const pageCopies = new RemoteJobs<CopyMessage>(
  () =>
    new Worker(new URL("./copy-worker.ts", import.meta.url), { type: "module", name: "copies" }),
);
