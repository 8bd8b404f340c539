import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
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
 * memory than it had (and up to which version it told to have folded by then), or that too much was
 * waiting. Values, for every bundle has classes of its own.
 */
type Outcome = { output: unknown } | { fault: Fault } | { spent: number | null } | { busy: true };

const unanswered: Fault = {
  name: "Unanswered",
  message: "The database did not answer",
  status: 503,
};

type Job = { request: TaskRequest; settle: (outcome: Outcome) => void };

/**
 * Workers that do one task at a time each and are kept for the next. One that takes too long or too
 * much is ended, and its task with it. Whoever asks is one of several `owners`, who get their turn
 * one after the other, however much each asks.
 */
export class WorkerPool {
  private readonly script: string;
  private readonly taskClass: TaskClass;
  private readonly idle: Worker[] = [];
  private running = 0;
  private readonly queues = new Map<string, Job[]>();

  private readonly processorMs: (thread: Thread) => number | null;

  constructor(
    script: string,
    taskClass: TaskClass,
    clock: (thread: Thread) => number | null = processorMs,
  ) {
    this.script = script;
    this.taskClass = taskClass;
    this.processorMs = clock;
  }

  /** Starts the workers, so that the first who ask need not wait for that. */
  warm(): void {
    while (this.running + this.idle.length < this.taskClass.workers) this.idle.push(this.begin());
  }

  /** How many tasks are being done, and how many wait for their turn. */
  get load(): { running: number; waiting: number } {
    const waiting = [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
    return { running: this.running, waiting };
  }

  /** Does a task for somebody. */
  run(owner: string, request: Omit<TaskRequest, "softMs">): Promise<Outcome> {
    if (!this.hasCapacityFor(owner)) return Promise.resolve({ busy: true });
    return new Promise((settle) => {
      const queue = this.queues.get(owner) ?? [];
      queue.push({ request: { ...request, softMs: this.taskClass.softMs }, settle });
      this.queues.set(owner, queue);
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

  /**
   * Whether somebody's task can wait here: where it is full, whoever waits for the most gives up
   * their last for one who waits for less.
   */
  private hasCapacityFor(owner: string): boolean {
    if (this.load.waiting < this.taskClass.waiting) return true;
    const queues = [...this.queues.values()];
    const longest = queues.reduce((most, queue) => (queue.length > most.length ? queue : most));
    // It must not become the longest in its turn, or two would take the last place from each other for ever.
    if ((this.queues.get(owner)?.length ?? 0) + 1 >= longest.length) return false;
    longest.pop()?.settle({ busy: true });
    return true;
  }

  private next(): void {
    if (this.running >= this.taskClass.workers) return;
    const turn = this.queues.entries().next().value;
    if (!turn) return;
    const [owner, queue] = turn;
    const job = queue.shift();
    // To the end of the line, or out of it.
    this.queues.delete(owner);
    if (queue.length > 0) this.queues.set(owner, queue);
    if (!job) return this.next();
    this.running += 1;
    this.work(job);
    this.next();
  }

  private work({ request, settle }: Job): void {
    const worker = this.idle.pop() ?? this.begin();
    let version: number | null = null;
    let own: { thread: Thread; processorMs: number } | null = null;
    let begun = worker.performance.eventLoopUtilization();
    const end = (outcome: Outcome, reuse: boolean) => {
      clearTimeout(timer);
      for (const event of ["online", "message", "error", "exit"]) worker.removeAllListeners(event);
      this.running -= 1;
      if (reuse) this.idle.push(worker);
      else {
        // What it still says is of no interest.
        worker.on("error", () => undefined);
        void worker.terminate();
      }
      settle(outcome);
      this.next();
    };
    const { hardMs } = this.taskClass;
    let slices = 0;
    const timer = setTimeout(() => {
      slices += 1;
      const { active, idle } = worker.performance.eventLoopUtilization(begun);
      const had = own && this.processorMs(own.thread);
      const worked = own === null || had === null ? active : had - own.processorMs;
      const outcome = afterTimeSlice({ hardMs, slices, worked, idle });
      if (outcome === "goes on") timer.refresh();
      else if (outcome === "unanswered") end({ fault: unanswered }, false);
      // A starved one would hold the thread for as long again. How far it came says nothing of its document.
      else end({ spent: outcome === "starved" ? null : version }, false);
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
    worker.postMessage(request);
  }
}
