import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { StoreFault } from "@/events/log/store";
import { secretClient, tokenClient } from "@/supabase/plain-clients";
import type { TaskRequest, WorkerMessage } from "./messages";
import type { Tools } from "./task";
import { tasks } from "./tasks";
import { ownThread, processorMs } from "./thread-clock";

// On Linux this call sets the priority of the thread, elsewhere that of the process.
if (process.platform === "linux") os.setPriority(Number(workerData));
const thread = ownThread();
/** Returns the processor time of this thread in milliseconds, or elapsed time if unknown. */
const workedMs = () => (thread === null ? null : processorMs(thread)) ?? performance.now();

const post = (message: WorkerMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

function clientFor(access: TaskRequest["access"]) {
  const client = access === "service" ? secretClient(true) : tokenClient(access.token);
  if (!client) throw new Error("Unknown service key");
  return client;
}

async function answer({ task, input, access, softMs }: TaskRequest): Promise<void> {
  const begun = workedMs();
  if (thread !== null) post({ thread, processorMs: begun });
  const tools: Tools = {
    isLate: () => workedMs() - begun > softMs,
    progress: (version) => post({ progress: version }),
    service: () => secretClient(true),
  };
  try {
    // The pool put this task's own input into the message.
    const work = tasks[task] as (
      client: ReturnType<typeof clientFor>,
      input: unknown,
      tools: Tools,
    ) => Promise<unknown>;
    const output = await work(clientFor(access), input, tools);
    post(
      { output },
      output instanceof Uint8Array && output.buffer instanceof ArrayBuffer ? [output.buffer] : [],
    );
  } catch (error) {
    const { name, message } =
      error instanceof Error ? error : { name: "Error", message: String(error) };
    post({ fault: { name, message, status: error instanceof StoreFault ? error.status : null } });
  }
}

parentPort?.on("message", (request: TaskRequest) => void answer(request));
