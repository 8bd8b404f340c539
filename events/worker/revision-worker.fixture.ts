import { type RemoteWorker, type Message, RemoteJobs, type Reply } from "./remote-jobs";
import { RevisionJobs, type RevisionMessage } from "./revision-jobs";
import { transfersOf } from "./transfers";

/** A worker without a thread; `posted` are the calls that came to it, `values` what it answered. */
export class FakeRevisionWorker {
  posted: RevisionMessage[] = [];
  values: unknown[] = [];
  fails = false;
  readonly jobs = new RemoteJobs<RevisionMessage>(() => this.worker());

  private worker(): RemoteWorker<RevisionMessage> {
    const jobs = new RevisionJobs();
    const worker: RemoteWorker<RevisionMessage> = {
      onmessage: null,
      onerror: null,
      terminate: () => undefined,
      postMessage: (message) => {
        const copy: Message<RevisionMessage> = structuredClone(message);
        queueMicrotask(() => {
          if (this.fails)
            return worker.onerror?.(
              Object.assign(new Event("error"), {
                message: "gone",
                filename: "",
                lineno: 0,
                colno: 0,
                error: null,
              }),
            );
          if (copy.message.call !== "close") this.posted.push(copy.message);
          const reply = jobs.take(copy);
          const data: Reply = structuredClone(reply, {
            transfer: "value" in reply ? transfersOf(reply.value) : [],
          });
          if ("value" in data) this.values.push(data.value);
          worker.onmessage?.(new MessageEvent("message", { data }));
        });
      },
    };
    return worker;
  }
}
