import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { StoreFault } from "@/events/log/store";
import { secretClient, tokenClient } from "@/supabase/plain-clients";
import type { Asked, WorkerMessage } from "./messages";
import type { Tools } from "./task";
import { tasks } from "./tasks";

// On Linux this is the priority of a thread: whoever answers requests comes first.
if (process.platform === "linux" && workerData !== "light")
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

const post = (message: WorkerMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

function clientFor(access: Asked["access"]) {
  const client = access === "service" ? secretClient(true) : tokenClient(access.token);
  if (!client) throw new Error("the service key is not known");
  return client;
}

async function answer({ task, input, access, softMs }: Asked): Promise<void> {
  const begun = performance.now();
  const tools: Tools = {
    isLate: () => performance.now() - begun > softMs,
    progress: (version) => post({ progress: version }),
    service: () => secretClient(true),
  };
  try {
    // The pool has put the input of this very task into the message.
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

parentPort?.on("message", (asked: Asked) => void answer(asked));
