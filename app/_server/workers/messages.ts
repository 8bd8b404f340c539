import type { TaskName } from "./tasks";
import type { Thread } from "./thread-clock";

/** The identity of a task's database client: a person's access token, or the service. */
export type Access = { token: string } | "service";

/** A message to a worker. */
export type TaskRequest = { task: TaskName; input: unknown; access: Access; softMs: number };

/** An error in a worker. `status` is set for a StoreFault. */
export type Fault = { name: string; message: string; status: number | null };

/**
 * A message from a worker: its thread with the processor time used before the task, the task's
 * progress, its result, or an error.
 */
export type WorkerMessage =
  | { thread: Thread; processorMs: number }
  | { progress: number }
  | { output: unknown }
  | { fault: Fault };
