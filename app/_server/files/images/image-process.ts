import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import type { ImageJob, ImageResult, Make } from "./image-job";
import { usageOf } from "./process-usage";

/** The limits of one image: processor time, wall time and memory. */
export type ImageLimits = { processorMs: number; wallMs: number; megabytes: number };

type Reply<Made> = { made: Made } | { fault: string };

/** The interval of measuring a running job, and the life of an idle process, in milliseconds. */
const measuredEach = 100;
const keptFor = 60_000;

/**
 * A process that decodes one image at a time. The library's threads cannot be cancelled. A job that
 * exceeds its limits, or whose caller has disconnected, is therefore ended with its process, and
 * the next job starts another. The process holds no secrets: it only receives and returns bytes.
 */
export class ImageProcess {
  private readonly script: string;
  private readonly limits: ImageLimits;
  private child: ChildProcess | null = null;
  private rest: NodeJS.Timeout | undefined;

  constructor(script: string, limits: ImageLimits) {
    this.script = script;
    this.limits = limits;
  }

  /** Runs a job. Resolves to "spent" if it exceeds the limits. Callers run one job at a time. */
  async run<Made extends Make>(
    job: ImageJob<Made>,
    signal: AbortSignal,
  ): Promise<ImageResult[Made] | "spent"> {
    signal.throwIfAborted();
    clearTimeout(this.rest);
    const child = (this.child ??= this.start());
    try {
      return await this.answer<ImageResult[Made]>(child, job, signal);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.rest = setTimeout(() => this.close(), keptFor).unref();
    }
  }

  /** Ends the process and its job. */
  close(): void {
    clearTimeout(this.rest);
    this.child?.kill("SIGKILL");
    this.child = null;
  }

  private start(): ChildProcess {
    const child = fork(this.script, [], {
      serialization: "advanced",
      execArgv: [],
      // The process receives none of the server's keys or addresses.
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
    });
    child.on("exit", () => {
      if (this.child === child) this.child = null;
    });
    child.unref();
    child.channel?.unref();
    return child;
  }

  private answer<Made>(
    child: ChildProcess,
    job: object,
    signal: AbortSignal,
  ): Promise<Made | "spent"> {
    const before = usageOf(child.pid ?? 0)?.processorMs ?? 0;
    const ends = performance.now() + this.limits.wallMs;
    return new Promise<Made | "spent">((resolve, reject) => {
      const isOver = () => {
        const usage = usageOf(child.pid ?? 0);
        const { processorMs, megabytes } = usage ?? { processorMs: 0, megabytes: 0 };
        return (
          performance.now() > ends ||
          processorMs - before > this.limits.processorMs ||
          megabytes > this.limits.megabytes
        );
      };
      const timer = setInterval(() => {
        if (!isOver()) return;
        this.close();
        end(() => resolve("spent"));
      }, measuredEach);
      const onMessage = (reply: Reply<Made>) =>
        end(() => ("made" in reply ? resolve(reply.made) : reject(new Error(reply.fault))));
      // Whether the library crashed or memory ran out, this image was the cause.
      const onExit = () => end(() => resolve("spent"));
      const onError = (error: Error) => end(() => reject(error));
      const onAbort = () => end(() => reject(signal.reason));
      const end = (settle: () => void) => {
        clearInterval(timer);
        child.off("message", onMessage).off("exit", onExit).off("error", onError);
        signal.removeEventListener("abort", onAbort);
        settle();
      };
      child.on("message", onMessage).on("exit", onExit).on("error", onError);
      signal.addEventListener("abort", onAbort, { once: true });
      child.send(job, (error) => {
        if (error) onError(error);
      });
    });
  }
}
