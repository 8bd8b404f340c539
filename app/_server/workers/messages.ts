import type { TaskName } from "./tasks";

/** As whom a task asks the database: a person by their access token, or the service. */
export type Access = { token: string } | "service";

/** What a worker is asked. */
export type Asked = { task: TaskName; input: unknown; access: Access; softMs: number };

/** What went wrong; `status` is that of a StoreFault. */
export type Fault = { name: string; message: string; status: number | null };

/** What it answers: how far it is, what came of it, or what went wrong. */
export type WorkerMessage = { progress: number } | { output: unknown } | { fault: Fault };
