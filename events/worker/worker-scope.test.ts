import { describe, expect, it } from "vitest";
import { BackgroundLost, RemoteJobs } from "./remote-jobs";
import type { RemoteWorker, Message } from "./remote-jobs";
import { answerMessages } from "./worker-scope";
import type { WorkerScope } from "./worker-scope";

type EchoMessage = { call: "echo"; words: string };
type Rejected = Parameters<WorkerScope<EchoMessage>["addEventListener"]>[1];

const jobs = {
  take: ({ id, message: told }: Message<EchoMessage>) => ({
    id,
    value: "words" in told ? told.words : null,
  }),
};

/**
 * Creates a worker without a thread that loads what `load` returns. Also returns the rejections
 * that a browser would report to it.
 */
function workerOf(load: () => Promise<typeof jobs>) {
  const rejections: Rejected[] = [];
  const worker: RemoteWorker<EchoMessage> = {
    onmessage: null,
    onerror: null,
    terminate: () => undefined,
    postMessage: (data) =>
      queueMicrotask(() => scope.onmessage?.(new MessageEvent("message", { data }))),
  };
  const scope: WorkerScope<EchoMessage> = {
    onmessage: null,
    postMessage: (data) =>
      queueMicrotask(() => worker.onmessage?.(new MessageEvent("message", { data }))),
    addEventListener: (_, listener) => rejections.push(listener),
  };
  answerMessages(scope, load);
  const reject = (reason: unknown) => {
    for (const rejected of rejections) rejected({ reason, preventDefault: () => undefined });
  };
  return { worker, reject };
}

describe("[OFFLINE-23] a worker of a page", () => {
  it("answers requests in order that came before its code was loaded", async () => {
    const remote = new RemoteJobs<EchoMessage>(() => workerOf(async () => jobs).worker);
    const job = remote.job();
    const answers = ["one", "two", "three"].map((words) => job.post({ call: "echo", words }));
    expect(await Promise.all(answers)).toEqual(["one", "two", "three"]);
  });

  it("is lost to its callers if its code cannot be loaded", async () => {
    const remote = new RemoteJobs<EchoMessage>(
      () => workerOf(() => Promise.reject(new Error("ChunkLoadError"))).worker,
    );
    let lost = 0;
    remote.onLost(() => (lost += 1));
    const asked = remote.job().post({ call: "echo", words: "one" });
    await expect(asked).rejects.toBeInstanceOf(BackgroundLost);
    expect(lost).toBe(1);
  });

  it("is lost to its callers after an unhandled rejection", async () => {
    const made = workerOf(() => new Promise(() => undefined));
    const asked = new RemoteJobs<EchoMessage>(() => made.worker)
      .job()
      .post({ call: "echo", words: "one" });
    made.reject(new Error("a part of the worker's code could not be fetched"));
    await expect(asked).rejects.toBeInstanceOf(BackgroundLost);
  });
});
