import { fakeWorker } from "./fake-worker.fixture";
import { RemoteJobs } from "./remote-jobs";
import { RevisionJobs } from "./revision-jobs";
import type { RevisionMessage } from "./revision-jobs";

/** A worker without a thread. `posted` are the calls that it received, `values` its answers. */
export class FakeRevisionWorker {
  posted: RevisionMessage[] = [];
  values: unknown[] = [];
  fails = false;
  readonly jobs = new RemoteJobs<RevisionMessage>(() =>
    fakeWorker({
      jobs: new RevisionJobs(),
      dies: () => this.fails,
      onAnswer: (message, reply) => {
        if (message.call !== "close") this.posted.push(message);
        if ("value" in reply) this.values.push(reply.value);
      },
    }),
  );
}
