import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { JobQueue } from "./job-queue";
import type { TaskRequest, Fault, WorkerMessage } from "./messages";
import { processorMs } from "./thread-clock";
import type { Thread } from "./thread-clock";
import { afterTimeSlice } from "./time-slice";

/**
 * The limits of one kind of work: concurrent workers, time and memory of each, and the queue's
 * length. `niceness` is the Unix nice value of its threads.
 */
export type TaskClass = {
  workers: number;
  hardMs: number;
  softMs: number;
  megabytes: number;
  waiting: number;
  niceness: number;
};

/**
 * The result of a task: its output, an error, `spent` if it exceeded its time or memory (with the
 * version that its fold reached), `busy` if the queue was full, or `gone` if its caller
 * disconnected. These are plain values, since every bundle has its own classes.
 */
type Outcome =
  | { output: unknown }
  | { fault: Fault }
  | { spent: number | null }
  | { busy: true }
  | { gone: true };

const unanswered: Fault = {
  name: "Unanswered",
  message: "The database did not respond",
  status: 503,
};

/**
 * `leave` is called when the caller disconnects. It removes a waiting job, and ends a running job.
 */
type Job = {
  owner: string;
  request: TaskRequest;
  settle: (outcome: Outcome) => void;
  leave: () => void;
};

/**
 * Workers that run one task at a time each and are reused. A worker is terminated if it exceeds its
 * time or memory, or if its caller disconnects. The next job belongs to the `owner` with the least
 * processor time, however many jobs each owner has.
 */
export class WorkerPool {
  private readonly script: string;
  private readonly taskClass: TaskClass;
  private readonly idle: Worker[] = [];
  private running = 0;
  private readonly queue: JobQueue<Job>;

  private readonly processorMs: (thread: Thread) => number | null;

  constructor(
    script: string,
    taskClass: TaskClass,
    clock: (thread: Thread) => number | null = processorMs,
  ) {
    this.script = script;
    this.taskClass = taskClass;
    this.queue = new JobQueue(taskClass.waiting);
    this.processorMs = clock;
  }

  /** Starts the workers, so that the first tasks do not wait for a start. */
  warm(): void {
    while (this.running + this.idle.length < this.taskClass.workers) this.idle.push(this.begin());
  }

  /** The numbers of running and waiting tasks. */
  get load(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.queue.size };
  }

  /** Runs a task for an owner, until its caller disconnects. */
  run(
    owner: string,
    request: Omit<TaskRequest, "softMs">,
    signal: AbortSignal | null = null,
  ): Promise<Outcome> {
    if (signal?.aborted) return Promise.resolve({ gone: true });
    return new Promise((resolve) => {
      const job: Job = {
        owner,
        request: { ...request, softMs: this.taskClass.softMs },
        settle: (outcome) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(outcome);
        },
        leave: () => {
          this.queue.remove(owner, job);
          job.settle({ gone: true });
        },
      };
      const onAbort = () => job.leave();
      signal?.addEventListener("abort", onAbort, { once: true });
      this.queue.add(owner, job)?.settle({ busy: true });
      this.next();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((worker) => worker.terminate()));
  }

  private begin(): Worker {
    const { megabytes, niceness } = this.taskClass;
    const worker = new Worker(this.script, {
      workerData: niceness,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 64 },
      stdout: true,
      stderr: true,
    });
    // The lines pass through this thread's console, which the log has replaced. Directly, they
    // would reach the terminal.
    createInterface({ input: worker.stdout }).on("line", (line) => console.log(line));
    createInterface({ input: worker.stderr }).on("line", (line) => console.warn(line));
    // The worker must not keep the process alive.
    worker.unref();
    return worker;
  }

  private next(): void {
    while (this.running < this.taskClass.workers) {
      const job = this.queue.take();
      if (!job) return;
      this.running += 1;
      this.work(job);
    }
  }

  private work(job: Job): void {
    const worker = this.idle.pop() ?? this.begin();
    let version: number | null = null;
    let own: { thread: Thread; processorMs: number } | null = null;
    let begun = worker.performance.eventLoopUtilization();
    /**
     * Returns the processor time of the task so far, in milliseconds, or its thread's active time
     * if that is unknown.
     */
    const worked = () => {
      const had = own && this.processorMs(own.thread);
      if (own !== null && had !== null) return had - own.processorMs;
      return worker.performance.eventLoopUtilization(begun).active;
    };
    const end = (outcome: Outcome, reuse: boolean, took = worked()) => {
      clearTimeout(timer);
      this.queue.charge(job.owner, took);
      for (const event of ["online", "message", "error", "exit"]) worker.removeAllListeners(event);
      this.running -= 1;
      if (reuse) this.idle.push(worker);
      else {
        // The worker's remaining output is ignored.
        worker.on("error", () => undefined);
        void worker.terminate();
      }
      job.settle(outcome);
      this.next();
      if (this.running === 0) this.queue.forget();
    };
    job.leave = () => end({ gone: true }, false);
    const { hardMs } = this.taskClass;
    let slices = 0;
    const timer = setTimeout(() => {
      slices += 1;
      const { idle } = worker.performance.eventLoopUtilization(begun);
      const took = worked();
      const outcome = afterTimeSlice({ hardMs, slices, worked: took, idle });
      if (outcome === "goes on") timer.refresh();
      else if (outcome === "unanswered") end({ fault: unanswered }, false, took);
      // Retrying a starved task would block the thread again, and its version says nothing about
      // the document.
      else end({ spent: outcome === "starved" ? null : version }, false, took);
    }, hardMs);
    // Starting a thread is slow on a busy machine, so it does not count as the task's time.
    worker.once("online", () => {
      begun = worker.performance.eventLoopUtilization();
      timer.refresh();
    });
    worker.on("message", (message: WorkerMessage) => {
      if ("thread" in message) own = message;
      else if ("progress" in message) version = message.progress;
      else end(message, true);
    });
    worker.on("error", (error: Error & { code?: string }) => {
      const { name, message, code } = error;
      end(
        code === "ERR_WORKER_OUT_OF_MEMORY"
          ? { spent: version }
          : { fault: { name, message, status: null } },
        false,
      );
    });
    worker.on("exit", () => end({ spent: version }, false));
    worker.postMessage(job.request);
  }
}
