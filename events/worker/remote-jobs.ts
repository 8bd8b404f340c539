import { reportError } from "@/events/core/error-report";
/** The methods of a browser's Worker that the product calls. */
export type RemoteWorker<T> = {
  postMessage(message: Message<T>, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply | Lost>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
};

/** A message to the worker. `job` identifies the document of the message. */
export type Message<T> = { id: number; job: number; message: T | Closing };
/** The answer to a message. */
export type Reply = { id: number; value: unknown } | { id: number; fault: string };
/** Reports that the worker is lost. Answers no message, and no further message is answered. */
export type Lost = { lost: string };
/** Ends a job. */
export type Closing = { call: "close" };

/** Thrown when the worker is unavailable or was lost. The page can do the work itself. */
export class BackgroundLost extends Error {
  override name = "BackgroundLost";
}

/** The messages about one document. Each message is answered once, in order. */
export type Job<T> = {
  /** The worker's id for the job. */
  id: number;
  post(message: T, transfer?: Transferable[]): Promise<unknown>;
  /** Releases all data. No messages may follow. */
  close(): void;
};

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** The number of lost workers after which the page does the work itself. */
const mostLosses = 3;

/**
 * Jobs in one worker, which is started on first use. Losing the worker loses its jobs, and later
 * jobs get another worker.
 */
export class RemoteJobs<T> {
  private readonly make: () => RemoteWorker<T>;
  private worker: RemoteWorker<T> | null = null;
  private losses = 0;
  /** The last job that was lost with its worker. */
  private lostJob = 0;
  private readonly lostListeners = new Set<() => void>();
  private messages = 0;
  private jobs = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(make: () => RemoteWorker<T>) {
    this.make = make;
  }

  /** Subscribes to the loss of a worker. Returns the function that unsubscribes. */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  /** Creates a job about one document. */
  job(): Job<T> {
    this.jobs += 1;
    const job = this.jobs;
    return {
      id: job,
      post: (message, transfer) => this.post(job, message, transfer),
      close: () => {
        if (this.worker && job > this.lostJob)
          this.post(job, { call: "close" }).catch(() => undefined);
      },
    };
  }

  private post(job: number, message: T | Closing, transfer: Transferable[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const worker = job > this.lostJob ? this.startedWorker() : null;
      if (!worker) return reject(new BackgroundLost("The worker is not available"));
      this.messages += 1;
      this.waiting.set(this.messages, { resolve, reject });
      worker.postMessage({ id: this.messages, job, message: message }, transfer);
    });
  }

  private startedWorker(): RemoteWorker<T> | null {
    if (this.worker || this.losses >= mostLosses) return this.worker;
    try {
      this.worker = this.make();
    } catch (error) {
      reportError(error, { during: "starting the page's worker", kind: "tolerated" });
      this.lose();
      return null;
    }
    const worker = this.worker;
    // A worker that was dropped may still raise events.
    const gone = (fault: unknown, kind: "uncaught" | "tolerated") => {
      reportError(fault, { during: "running the page's worker", kind });
      if (worker === this.worker) this.lose();
    };
    worker.onmessage = ({ data }) => {
      if ("lost" in data) gone(new Error(data.lost), "tolerated");
      else this.settle(data);
    };
    worker.onerror = ({ error, message }: ErrorEvent) =>
      gone(error ?? new Error(message), "uncaught");
    return worker;
  }

  private settle(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ("fault" in reply) waiting?.reject(new Error(reply.fault));
    else waiting?.resolve(reply.value);
  }

  private lose(): void {
    this.losses += 1;
    this.lostJob = this.jobs;
    this.worker?.terminate();
    this.worker = null;
    const left = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of left) reject(new BackgroundLost("The worker was lost"));
    for (const listener of this.lostListeners) listener();
  }
}
