import type { TaskName } from "./tasks";
import type { Thread } from "./thread-clock";

/** As whom a task asks the database: a person by their access token, or the service. */
export type Access = { token: string } | "service";

/** What a worker is asked. */
export type TaskRequest = { task: TaskName; input: unknown; access: Access; softMs: number };

/** What went wrong; `status` is that of a StoreFault. */
export type Fault = { name: string; message: string; status: number | null };

/**
 * What it answers: on which thread it began, and how much of a processor that had had by then; how
 * far it is, what came of it, or what went wrong.
 */
export type WorkerMessage =
  | { thread: Thread; processorMs: number }
  | { progress: number }
  | { output: unknown }
  | { fault: Fault };
