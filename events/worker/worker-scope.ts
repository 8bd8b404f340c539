import { type Lost, type Message, type Reply } from "./remote-jobs";
import { transfersOf } from "./transfers";

/** What a worker has of its own, as a browser gives it. */
export type WorkerScope<T> = {
  onmessage: ((event: MessageEvent<Message<T>>) => void) | null;
  postMessage(reply: Reply | Lost, options: { transfer: Transferable[] }): void;
  addEventListener(
    type: "unhandledrejection",
    listener: (event: { reason: unknown; preventDefault(): void }) => void,
  ): void;
};

/**
 * Answers each message, in order, by what `load` brings. A browser tells a page of what a worker
 * throws, and nothing of a promise that is rejected there, as it is where a part of the worker's
 * code cannot be fetched: this tells it.
 */
export function answerMessages<T>(
  scope: WorkerScope<T>,
  load: () => Promise<{ take(message: Message<T>): Reply }>,
): void {
  const lost = (reason: unknown) =>
    scope.postMessage({ lost: reason instanceof Error ? reason.message : String(reason) }, none);
  scope.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    lost(event.reason);
  });
  const loaded = load();
  loaded.catch(lost);
  scope.onmessage = ({ data }) => {
    loaded.then(
      (jobs) => {
        const reply = jobs.take(data);
        const transfer = "value" in reply ? transfersOf(reply.value) : [];
        scope.postMessage(reply, { transfer });
      },
      // The page has been told already.
      () => undefined,
    );
  };
}

const none = { transfer: [] };
