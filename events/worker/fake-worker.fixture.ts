import type { Message, RemoteWorker, Reply } from "./remote-jobs";
import { transfersOf } from "./transfers";

type Fake<T> = {
  jobs: { take(message: Message<T>): Reply };
  /** Whether the worker dies instead of answering the next message. */
  dies?: () => boolean;
  /** Receives each message and its answer, as the page sees them. */
  onAnswer?: (message: Message<T>["message"], reply: Reply) => void;
};

/** Creates a worker without a thread. Messages are cloned or transferred as in a browser. */
export function fakeWorker<T>({ jobs, dies = () => false, onAnswer }: Fake<T>): RemoteWorker<T> {
  let previous = Promise.resolve();
  const gone = { message: "gone", filename: "", lineno: 0, colno: 0, error: null };
  const worker: RemoteWorker<T> = {
    onmessage: null,
    onerror: null,
    terminate: () => undefined,
    postMessage: (message, transfer) => {
      const copy = structuredClone(message, { transfer });
      previous = previous.then(() => {
        if (dies()) return worker.onerror?.(Object.assign(new Event("error"), gone));
        const reply = jobs.take(copy);
        const data = structuredClone(reply, {
          transfer: "value" in reply ? transfersOf(reply.value) : [],
        });
        onAnswer?.(copy.message, data);
        worker.onmessage?.(new MessageEvent("message", { data }));
      });
    },
  };
  return worker;
}
