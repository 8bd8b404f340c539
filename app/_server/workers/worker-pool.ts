import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { JobQueue } from "./job-queue";
import type { TaskRequest, Fault, WorkerMessage } from "./messages";
import { processorMs, type Thread } from "./thread-clock";
import { afterTimeSlice } from "./time-slice";

/**
 * What one kind of work may take: how many at once, in how much time and memory each, and how many
 * may wait. `niceness` is what its threads leave to others of the processor, as Unix counts it.
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
 * What became of a task: what it answered, what went wrong with it, that it took more time or
 * memory than it had (and up to which version it told to have folded by then), that too much was
 * waiting, or that its caller went. Values, for every bundle has classes of its own.
 */
type Outcome =
  | { output: unknown }
  | { fault: Fault }
  | { spent: number | null }
  | { busy: true }
  | { gone: true };

const unanswered: Fault = {
  name: "Unanswered",
  message: "The database did not answer",
  status: 503,
};

/** `leave` is called when the caller goes: it drops what waits, and ends what runs. */
type Job = {
  owner: string;
  request: TaskRequest;
  settle: (outcome: Outcome) => void;
  leave: () => void;
};

/**
 * Workers that do one task at a time each and are kept for the next. A worker that takes too long or
 * too much is ended, and so is one whose caller has gone. Next comes the `owner` who has had the least
 * of a processor, however much each asks.
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

  /** Starts the workers, so that the first who ask need not wait for that. */
  warm(): void {
    while (this.running + this.idle.length < this.taskClass.workers) this.idle.push(this.begin());
  }

  /** How many tasks are being done, and how many wait for their turn. */
  get load(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.queue.size };
  }

  /** Does a task for somebody, as long as its caller is there. */
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
    // Past the console of this thread, which the log has taken over, it would write to the terminal.
    createInterface({ input: worker.stdout }).on("line", (line) => console.log(line));
    createInterface({ input: worker.stderr }).on("line", (line) => console.warn(line));
    // Nobody waits for a process to end because of it.
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
    /** The processor time, in milliseconds, that the task has had; how long its thread was active where that is not known. */
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
        // What it still says is of no interest.
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
      // A starved one would hold the thread for as long again. How far it came says nothing of its document.
      else end({ spent: outcome === "starved" ? null : version }, false, took);
    }, hardMs);
    // Starting a thread takes its time on a busy machine, and is none of the task's.
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
