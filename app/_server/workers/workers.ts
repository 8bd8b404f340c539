import { reportError } from "@/events/core/error-report";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { callerSignal } from "@/supabase/caller";
import { secretClient } from "@/supabase/plain-clients";
import type { Access, Fault } from "./messages";
import { StoreFault } from "@/events/log/store";
import { BudgetSpent, CallerGone, TooHeavy, Unanswered } from "./task";
import type { Tools } from "./task";
import type { Input, Output, TaskName } from "./tasks";
import { WorkerPool } from "./worker-pool";
import type { TaskClass } from "./worker-pool";
import { measurePools } from "./pool-metrics";
import { writeStop } from "./write-stop";

const { PRIORITY_NORMAL, PRIORITY_BELOW_NORMAL } = constants.priority;

const heavy = {
  workers: 1,
  hardMs: 40_000,
  softMs: 15_000,
  megabytes: 1_024,
  waiting: 64,
  niceness: PRIORITY_BELOW_NORMAL / 2,
};

/**
 * The limits of each class of tasks. Most documents are small, and never wait for large ones. Heavy
 * work gets twice the time that a document at its limits takes on a slow machine. Indexing has a
 * separate thread: heavy or background work, such as the links and lines of a long document, could
 * otherwise delay new words beyond the time in which they must be searchable. Downloads have two
 * threads: small files never wait for large ones, and pages wait for neither. The main thread has
 * the highest priority, then work with a waiting reader, then indexing.
 */
const taskClasses = {
  light: {
    workers: 1,
    hardMs: 4_000,
    softMs: Infinity,
    megabytes: 256,
    waiting: 1_000,
    niceness: PRIORITY_NORMAL,
  },
  heavy,
  smallFiles: { ...heavy, hardMs: 12_000, megabytes: 512, waiting: 200 },
  files: heavy,
  indexing: heavy,
  background: heavy,
} satisfies Record<string, TaskClass>;
type TaskClassName = keyof typeof taskClasses;

type Pools = Record<TaskClassName, WorkerPool>;
/** The pools are global: Next loads a module once per bundle, but the process shares threads. */
const known: typeof globalThis & { palimpsestWorkers?: Pools | null } = globalThis;

/**
 * The client of a task, and whether it is the service's. `signal` aborts when the caller
 * disconnects. By default it is the signal of the page that is being rendered. Null is for work
 * that several callers share.
 */
type Asker = {
  client: SupabaseClient;
  service: boolean;
  owner: string;
  signal?: AbortSignal | null;
};

/** Returns the path of the built worker script. */
function script(): string {
  return join(process.cwd(), ".next", "server-worker.cjs");
}

/**
 * Starts the worker threads of this process. Without their script, tasks run on the main thread.
 */
export function startWorkers(): void {
  if (known.palimpsestWorkers !== undefined) return;
  const file = script();
  if (!existsSync(file)) {
    reportError(`${file} is missing: documents are folded on the main thread`, {
      during: "starting the workers",
    });
    known.palimpsestWorkers = null;
    return;
  }
  known.palimpsestWorkers = {
    light: new WorkerPool(file, taskClasses.light),
    heavy: new WorkerPool(file, taskClasses.heavy),
    smallFiles: new WorkerPool(file, taskClasses.smallFiles),
    files: new WorkerPool(file, taskClasses.files),
    indexing: new WorkerPool(file, taskClasses.indexing),
    background: new WorkerPool(file, taskClasses.background),
  };
  known.palimpsestWorkers.light.warm();
  measurePools(known.palimpsestWorkers);
}

async function accessOf({ client, service }: Asker): Promise<Access> {
  if (service) return "service";
  const { data } = await client.auth.getSession();
  return { token: data.session?.access_token ?? "" };
}

/** Runs a task in one task class, off the main thread. */
export async function runIn<Name extends TaskName>(
  taskClass: TaskClassName,
  task: Name,
  input: Input<Name>,
  asker: Asker,
): Promise<Output<Name>> {
  const pools = known.palimpsestWorkers;
  if (!pools) {
    const { tasks } = await import("./tasks");
    // The compiler cannot relate the input and output types of a function looked up by name.
    const work = tasks[task] as (
      client: SupabaseClient,
      input: Input<Name>,
      tools: Tools,
    ) => Promise<Output<Name>>;
    return work(asker.client, input, {
      isLate: () => false,
      progress: () => undefined,
      service: () => (asker.service ? asker.client : secretClient()),
    });
  }
  const { owner, signal = callerSignal() } = asker;
  const request = { task, input, access: await accessOf(asker) };
  const outcome = await pools[taskClass].run(owner, request, signal);
  // A worker returns the output of the task with this name.
  if ("output" in outcome) return outcome.output as Output<Name>;
  if ("spent" in outcome) throw new BudgetSpent(task, outcome.spent);
  if ("gone" in outcome) throw new CallerGone(`The caller of ${task} has disconnected`);
  throw "fault" in outcome
    ? faultOf(outcome.fault)
    : new StoreFault("Too many tasks are queued", 503);
}

function faultOf({ name, message, status }: Fault): Error {
  if (name === "Unanswered") return new Unanswered(message, status ?? 503);
  if (status !== null) return new StoreFault(message, status);
  return name === "TooHeavy" ? new TooHeavy() : new Error(message);
}

/** Runs a task as light work, and repeats it as heavy work if the task turns out too large. */
export async function runTask<Name extends TaskName>(
  task: Name,
  input: Input<Name> & { light: boolean },
  asker: Asker,
): Promise<Output<Name>> {
  try {
    return await runIn("light", task, { ...input, light: true }, asker);
  } catch (error) {
    if (
      !(error instanceof TooHeavy) &&
      !(error instanceof BudgetSpent) &&
      !(error instanceof Unanswered)
    )
      throw error;
    return runIn("heavy", task, { ...input, light: false }, asker);
  }
}

/** The input of a task that folds a document. */
type FoldInput<Name extends TaskName> = Input<Name> & { light: boolean; document: string };

/**
 * Awaits a folding task started by `runTask`. The caller must have checked access. If even heavy
 * work runs out of budget, the version that it reached is recorded as a stop. The document is then
 * folded up to the stop, for this reader and for others in the next hour.
 */
export async function foldUpToStop<Name extends TaskName>(
  folding: Promise<Output<Name>>,
  task: Name,
  input: FoldInput<Name>,
  asker: Asker,
): Promise<Output<Name>> {
  try {
    return await folding;
  } catch (error) {
    const service = secretClient();
    if (!(error instanceof BudgetSpent) || error.version === null || !service) throw error;
    reportError(error, { during: "folding a document", documentId: input.document });
    await writeStop(service, input.document, error.version);
    return runIn("heavy", task, { ...input, light: false }, asker);
  }
}

/** Runs a folding task up to the document's stop. The caller must have checked access. */
export function runFold<Name extends TaskName>(
  task: Name,
  input: FoldInput<Name>,
  asker: Asker,
): Promise<Output<Name>> {
  return foldUpToStop(runTask(task, input, asker), task, input, asker);
}
