import { FairQueue } from "./fair-queue";
import type { Payer } from "./fair-queue";

export type PasswordTask =
  { kind: "hash"; text: string; cost: number } | { kind: "compare"; text: string; hash: string };

type Answer = { value?: string | boolean; fault?: string };

/** The part of a worker thread that the pool uses. */
export type PasswordWorker = {
  postMessage(task: PasswordTask): void;
  on(event: "message", heard: (answer: Answer) => void): unknown;
  on(event: "error" | "exit", ended: (reason: unknown) => void): unknown;
  terminate(): unknown;
};

type Limits = {
  workers: number;
  /** The number of tasks that one account, and one network, may have waiting. */
  perAccount: number;
  perNetwork: number;
  /** The longest time that a task may wait, and the longest that it may run, in ms. */
  waiting: number;
  running: number;
};

/** Thrown if a task was dropped: its caller left, too many tasks wait, or it took too long. */
export class PasswordWorkDropped extends Error {
  readonly reason: "left" | "busy";

  constructor(reason: "left" | "busy") {
    super(reason === "left" ? "The client disconnected" : "Too many passwords at once");
    this.reason = reason;
  }
}

type Job = {
  task: PasswordTask;
  settle: (value: string | boolean) => void;
  fail: (error: Error) => void;
};

/**
 * Hashes and compares passwords in worker threads, one task per worker. Accounts and networks take
 * turns. A task is dropped if its caller leaves or if it waits too long. A worker whose task runs
 * too long is replaced.
 */
export class PasswordPool {
  private readonly queue = new FairQueue<Job>();
  private readonly idle: PasswordWorker[] = [];
  private readonly busy = new Map<PasswordWorker, { job: Job; timer: NodeJS.Timeout }>();
  private readonly spawn: () => PasswordWorker;
  private readonly limits: Limits;

  constructor(spawn: () => PasswordWorker, limits: Limits) {
    this.spawn = spawn;
    this.limits = limits;
  }

  /** The number of waiting tasks. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Runs one task, or rejects with PasswordWorkDropped. */
  run(payer: Payer, gone: AbortSignal | null, task: PasswordTask): Promise<string | boolean> {
    return new Promise((settle, reject) => {
      if (gone?.aborted) return reject(new PasswordWorkDropped("left"));
      const { network } = payer;
      if (
        this.queue.sizeOf(payer) >= this.limits.perAccount ||
        this.queue.sizeOf({ network }) >= this.limits.perNetwork
      )
        return reject(new PasswordWorkDropped("busy"));
      const forget = () => {
        clearTimeout(timer);
        gone?.removeEventListener("abort", leave);
      };
      const drop = (reason: "left" | "busy") => {
        if (this.queue.remove(payer, job)) job.fail(new PasswordWorkDropped(reason));
      };
      const leave = () => drop("left");
      const job: Job = {
        task,
        settle: (value) => {
          forget();
          settle(value);
        },
        fail: (error) => {
          forget();
          reject(error);
        },
      };
      const timer = setTimeout(() => drop("busy"), this.limits.waiting);
      gone?.addEventListener("abort", leave, { once: true });
      this.queue.add(payer, job);
      this.next();
    });
  }

  private next(): void {
    if (this.idle.length === 0 && this.busy.size >= this.limits.workers) return;
    const job = this.queue.next();
    if (!job) return;
    const worker = this.idle.pop() ?? this.start();
    const timer = setTimeout(
      () => this.discard(worker, new PasswordWorkDropped("busy")),
      this.limits.running,
    );
    this.busy.set(worker, { job, timer });
    worker.postMessage(job.task);
  }

  private start(): PasswordWorker {
    const worker = this.spawn();
    worker.on("message", ({ value, fault }) => {
      const running = this.busy.get(worker);
      if (!running) return;
      clearTimeout(running.timer);
      this.busy.delete(worker);
      this.idle.push(worker);
      if (value === undefined) running.job.fail(new Error(fault ?? "The worker did not respond"));
      else running.job.settle(value);
      this.next();
    });
    worker.on("error", (error) =>
      this.discard(worker, error instanceof Error ? error : new Error(String(error))),
    );
    worker.on("exit", () => this.discard(worker, new Error("The worker exited")));
    return worker;
  }

  /** Terminates a worker, fails its task and starts another worker. */
  private discard(worker: PasswordWorker, reason: Error): void {
    const running = this.busy.get(worker);
    const index = this.idle.indexOf(worker);
    if (index >= 0) this.idle.splice(index, 1);
    this.busy.delete(worker);
    if (running) {
      clearTimeout(running.timer);
      void worker.terminate();
      running.job.fail(reason);
    }
    this.next();
  }
}
