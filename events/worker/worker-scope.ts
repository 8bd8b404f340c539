import type { Lost, Message, Reply } from "./remote-jobs";
import { transfersOf } from "./transfers";

/** The members of a worker's global scope that the product uses. */
export type WorkerScope<T> = {
  onmessage: ((event: MessageEvent<Message<T>>) => void) | null;
  postMessage(reply: Reply | Lost, options: { transfer: Transferable[] }): void;
  addEventListener(
    type: "unhandledrejection",
    listener: (event: { reason: unknown; preventDefault(): void }) => void,
  ): void;
};

/**
 * Answers each message, in order, by the handler that `load` imports. Browsers report a worker's
 * exceptions to the page but not its rejected promises, such as a failed import of the worker's
 * code. This function reports those rejections.
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
      // The page has already been notified.
      () => undefined,
    );
  };
}

const none = { transfer: [] };
